import Bluetooth

extension SUOTADevice {
    /// Starts a link.
    public mutating func connect(at now: Duration) -> AttributeServer {
        let table = AttributeTable.suota(
            description, version: description.tellsVersion ? boot.image?.version : nil)
        var server = AttributeServer(table, maximumMTU: description.personality.maximumMTU)
        receiver.connect(at: now)
        gate.connect()
        server.set([receiver.status], for: AttributeTable.suotaStatus)
        showValues(by: &server)
        return server
    }

    /// The receiver's reaction to a packet.
    ///
    /// Packets are processed one at a time: one that arrives while flash is busy is answered afterwards.
    public mutating func receive(
        _ packet: [UInt8], by server: inout AttributeServer, at now: Duration
    ) -> [BeaconReaction] {
        var due = receiver.idle(at: now)
        let outcome = server.receive(packet)
        if let (value, uuid) = outcome.event?.write, uuid == AttributeTable.fbeaconCommands {
            return (outcome.answer.map { [.send($0, at: due)] } ?? [])
                + gate.answers(to: value).flatMap { say($0, by: server, at: due) }
        }
        guard let (value, uuid) = outcome.event?.write, let target = SUOTATarget(uuid) else {
            showValues(by: &server)
            return outcome.answer.map { [.send($0, at: due)] } ?? []
        }
        guard gate.isOpen else {
            refusals += 1
            return outcome.answer == nil
                ? [] : [.send(AttributeServer.refusal(of: packet, code: SUOTAGate.refusal), at: due)]
        }
        let reply = receiver.write(value, to: target, at: now)
        var answer = outcome.answer
        if answer != nil {
            due += faults.responseDelay()
            if let code = reply.refusal {
                answer = AttributeServer.refusal(of: packet, code: code)
                refusals += 1
            } else {
                server.set(value, for: uuid)
            }
        }
        let isEarly = faults.isNextEarly && !reply.reactions.isEmpty
        showValues(by: &server)
        let reactions = carryOut(reply.reactions, by: &server)
        guard let answer else { return reactions }
        guard isEarly else { return [.send(answer, at: due)] + reactions }
        // The response follows the notification: at the same moment, or after what the notification had to wait for.
        let told = reply.reactions.compactMap(\.notificationDue).max() ?? due
        return reactions + [.send(answer, at: max(told, due))]
    }

    private func say(_ text: String, by server: AttributeServer, at due: Duration) -> [BeaconReaction] {
        let (bytes, size) = (Array(text.utf8), max(1, server.agreedMTU - 3))
        return stride(from: 0, to: bytes.count, by: size).map { start in
            .notify(
                Array(bytes[start..<min(start + size, bytes.count)]), from: AttributeTable.fbeaconAnswers,
                mayIndicate: false, at: due)
        }
    }

    private mutating func carryOut(
        _ reactions: [FirmwareReaction], by server: inout AttributeServer
    ) -> [BeaconReaction] {
        var list: [BeaconReaction] = []
        for reaction in reactions {
            switch reaction {
            case .notify(let value, let due):
                let value = faults.treat(value)
                statuses += value
                server.set(value, for: AttributeTable.suotaStatus)
                // Only a 58x indicates if the client enables indications.
                let mayIndicate = description.personality.family == .da1458x
                list.append(
                    .notify(value, from: AttributeTable.suotaStatus, mayIndicate: mayIndicate, at: due))
            case .disconnect(let due): list.append(.disconnect(at: due))
            case .reset(let due): list.append(.reset(at: due))
            }
        }
        return list
    }

    /// Updates the attributes that show the receiver's state.
    private func showValues(by server: inout AttributeServer) {
        let info = faults.memoryInfo ?? receiver.memoryInfo
        server.set(
            (0..<4).map { UInt8(truncatingIfNeeded: info >> (8 * $0)) }, for: AttributeTable.suotaMemoryInfo)
        let mtu = server.agreedMTU
        server.set(
            [UInt8(truncatingIfNeeded: mtu), UInt8(truncatingIfNeeded: mtu >> 8)],
            for: AttributeTable.suotaMTU)
    }

    /// When a signature check ends.
    public var announcementDue: Duration? { receiver.verdictDue }

    /// Reports the result of that check.
    public mutating func announce(by server: inout AttributeServer, at now: Duration) -> [BeaconReaction] {
        carryOut(receiver.verdict(at: now).reactions, by: &server)
    }

    /// The receiver's channel, if it has one.
    public func channel(to psm: UInt16) -> ChannelOffer? {
        guard !faults.refusesChannel, receiver.listens(on: psm) else { return nil }
        return ChannelOffer(
            maximumPacket: description.personality.channelMTU,
            credits: description.personality.channelCredits)
    }

    /// Processes bytes of the image.
    public mutating func receiveOverChannel(
        _ packet: [UInt8], by server: inout AttributeServer, at now: Duration
    ) -> [BeaconReaction] {
        let reactions = carryOut(receiver.channel(packet, at: now).reactions, by: &server)
        showValues(by: &server)
        return reactions
    }
}

extension FirmwareReaction {
    fileprivate var notificationDue: Duration? {
        if case .notify(_, let due) = self { due } else { nil }
    }
}
