import Bluetooth

extension NordicDevice {
    public mutating func receive(
        _ packet: [UInt8], by server: inout AttributeServer, at now: Duration
    ) -> [BeaconReaction] {
        if program == .application, kbeacon != nil { return converse(packet, by: &server, at: now) }
        return carryOut(server.receive(packet), of: packet, by: server, at: now)
    }

    mutating func carryOut(
        _ outcome: AttributeServer.Outcome, of packet: [UInt8], by server: AttributeServer, at now: Duration
    ) -> [BeaconReaction] {
        if packet.first == 0x0A, takesUpdates { bootloader.accessed(at: now) }
        var reactions: [BeaconReaction] = []
        if let answer = outcome.answer, answers(outcome.event) { reactions.append(.send(answer, at: now)) }
        let isBonded = server.isEncrypted && bond != nil && description.keepsBonds
        return reactions
            + (takesUpdates ? update(outcome.event, at: now) : enter(outcome.event, isBonded, at: now))
    }

    /// Whether this event gets a response before a restart.
    private func answers(_ event: AttributeServer.Event?) -> Bool {
        if takesUpdates {
            guard case .written(let value, description.dfu.controlPoint) = event else { return true }
            return bootloader.answers(value)
        }
        guard let application = description.legacyApplication,
            case .written(let value, LegacyApplication.controlPoint) = event
        else { return true }
        return application.answers(value)
    }

    private mutating func update(_ event: AttributeServer.Event?, at now: Duration) -> [BeaconReaction] {
        guard let (value, uuid) = event?.write else { return [] }
        switch uuid {
        case description.dfu.controlPoint:
            guard let result = faults.result(insteadOf: value) else {
                let reactions = carryOut(bootloader.controlPoint(value, at: now))
                guard faults.losesAnswer else { return reactions }
                return reactions.filter { if case .notify = $0 { false } else { true } }
            }
            return carryOut([.notify([description.dfu.response, value.first ?? 0] + result, at: now)])
        case description.dfu.packet:
            let progress = bootloader.memory.progress
            let isLost = progress.isInitValid && faults.losesPacket(of: value.count, at: progress.offset)
            return isLost ? [] : carryOut(bootloader.packet(value, at: now))
        default: return []
        }
    }

    private mutating func carryOut(_ reactions: [FirmwareReaction]) -> [BeaconReaction] {
        var list: [BeaconReaction] = []
        for reaction in reactions {
            switch reaction {
            case .notify(let value, let due):
                let source = description.dfu.controlPoint
                list.append(.notify(faults.applyFaults(to: value), from: source, mayIndicate: false, at: due))
            case .disconnect(let due): list.append(.disconnect(at: due))
            case .reset(let due): list += [.disconnect(at: due), .reset(at: due)]
            }
        }
        return list
    }

    private mutating func enter(
        _ event: AttributeServer.Event?, _ isBonded: Bool, at now: Duration
    ) -> [BeaconReaction] {
        if let application = description.legacyApplication {
            guard case .written(let value, LegacyApplication.controlPoint) = event else { return [] }
            return carryOut(application.request(value, at: now), at: now)
        }
        switch event {
        case .written(let value, description.buttonless.characteristic):
            if description.hasSecureEntry, description.legacy?.answersEntry == false {
                guard value.first == 0x01 else { return [] }
                return carryOut([.enterBootloader(at: now + LegacyApplication.jumpTime)], at: now)
            }
            return carryOut(application.request(value, isBonded: isBonded, at: now), at: now)
        case .confirmed: return carryOut(application.confirmed(at: now), at: now)
        case .written, .commanded, nil: return []
        }
    }

    private mutating func carryOut(
        _ reactions: [ButtonlessApplication.Reaction], at now: Duration
    ) -> [BeaconReaction] {
        var list: [BeaconReaction] = []
        for reaction in reactions {
            switch reaction {
            case .notify(let value, let due):
                guard let source = description.entryCharacteristic else { continue }
                list.append(.notify(value, from: source, mayIndicate: true, at: due))
            case .storeName(let name): bootloader.store(name: name, at: now)
            case .enterBootloader where faults.ignoresEntry(): break
            case .enterBootloader(let due):
                isEntering = true
                handOverBond()
                list += [.disconnect(at: due), .reset(at: due)]
            case .crash: list += [.disconnect(at: now), .reset(at: now)]
            }
        }
        return list
    }
}
