import BluetoothTypes
import Timing

extension SUOTABeacon {
    func connect(_ outgoing: AsyncStream<DeliverySchedule.Delivery>.Continuation) -> Int? {
        let now = time.now
        catchUp(to: now)
        guard isReachable(at: now) else { return nil }
        lastLink += 1
        counted.links += 1
        let table = AttributeTable.suota(
            description, version: description.tellsVersion ? boot.image?.version : nil)
        let server = AttributeServer(table, maximumMTU: description.personality.maximumMTU)
        receiver.connect(at: now)
        link = Link(number: lastLink, server: server, outgoing: outgoing)
        link?.server.set([receiver.status], for: AttributeTable.suotaStatus)
        showValues()
        return lastLink
    }

    func receive(_ packet: [UInt8], on number: Int) -> Duration? {
        let now = time.now
        catchUp(to: now)
        guard let link, link.number == number, !link.isCut else { return nil }
        guard isProcessed(faults.arrival(of: packet)) else { return nil }
        process(packet, at: now)
        endings(at: now)
        endings(inBlock: now)
        return flush(number)
    }

    /// Whether a packet with this fate gets to the beacon; carries out what else it means.
    func isProcessed(_ fate: FaultPlan.Fate) -> Bool {
        switch fate {
        case .cut:
            cutLink()
            return false
        case .fallSilent:
            link?.isSilent = true
            return false
        case .process: return link?.isSilent == false
        case .ignore: return false
        }
    }

    /// What ends with the packet that has arrived.
    func endings(at now: Duration) {
        if faults.losesPowerNow {
            restart(at: now)
        } else if faults.cutsNow {
            cutLink()
        }
    }

    /// What ends with how far the image is.
    func endings(inBlock now: Duration) {
        if losesPowerInBlock() {
            restart(at: now)
        } else if cutsInBlock() {
            cutLink()
        }
        persist(at: now)
    }

    private func losesPowerInBlock() -> Bool { faults.losesPower(receiver) }
    private func cutsInBlock() -> Bool { faults.cuts(receiver) }

    private func process(_ packet: [UInt8], at now: Duration) {
        // One thing after another: what comes while flash is at work is answered behind it.
        let moment = receiver.idle(at: now)
        guard let outcome = link?.server.receive(packet) else { return }
        guard let (value, uuid) = outcome.event?.write, let target = SUOTATarget(uuid) else {
            if let answer = outcome.answer { link?.schedule.add(.send(answer), at: moment) }
            return showValues()
        }
        let reply = receiver.write(value, to: target, at: now)
        var answer = outcome.answer
        var answerDue = moment
        if answer != nil {
            answerDue += faults.responseDelay()
            if let code = reply.refusal {
                answer = AttributeServer.refusal(of: packet, code: code)
                counted.refusals += 1
            } else {
                link?.server.set(value, for: uuid)
            }
        }
        let isEarly = faults.isNextEarly && !reply.reactions.isEmpty
        if let answer, !isEarly { link?.schedule.add(.send(answer), at: answerDue) }
        showValues()
        for reaction in reply.reactions { perform(reaction, at: now) }
        // At the same moment, but behind; or behind what the notification had to wait for.
        if let answer, isEarly {
            let due = reply.reactions.compactMap(\.notificationDue).max() ?? answerDue
            link?.schedule.add(.send(answer), at: max(due, answerDue))
        }
    }

    func perform(_ reaction: BootloaderReaction, at now: Duration) {
        switch reaction {
        case .notify(let value, let due): notify(value, at: due)
        case .disconnect(let due): link?.schedule.add(.close, at: due)
        case .reset(let due): resetDue = due
        }
    }

    private func notify(_ value: [UInt8], at due: Duration) {
        let value = faults.nextStatus.map { [$0] } ?? value
        counted.statuses += value
        link?.server.set(value, for: AttributeTable.suotaStatus)
        let treated = faults.treat(value, at: due)
        let packet =
            link?.server.notification(treated.value, from: AttributeTable.suotaStatus)
            ?? indication(treated.value)
        guard let packet else { return }
        if treated.waitsForNext {
            link?.schedule.hold(packet)
        } else {
            link?.schedule.addNotification(packet, copies: treated.copies, at: treated.due)
        }
    }

    /// Only a 58x indicates where it is asked to.
    private func indication(_ value: [UInt8]) -> [UInt8]? {
        guard description.personality.family == .da1458x else { return nil }
        return link?.server.indication(value, from: AttributeTable.suotaStatus)
    }

    /// Puts into the attributes what the receiver has to say of itself.
    func showValues() {
        let info = faults.memoryInfo ?? receiver.memoryInfo
        link?.server.set(
            (0..<4).map { UInt8(truncatingIfNeeded: info >> (8 * $0)) }, for: AttributeTable.suotaMemoryInfo)
        let mtu = link?.server.agreedMTU ?? AttributeServer.defaultMTU
        link?.server.set(
            [UInt8(truncatingIfNeeded: mtu), UInt8(truncatingIfNeeded: mtu >> 8)],
            for: AttributeTable.suotaMTU)
    }

    func flush(_ number: Int) -> Duration? {
        guard link?.number == number else { return nil }
        if let due = receiver.verdictDue, due <= time.now {
            for reaction in receiver.verdict(at: due).reactions { perform(reaction, at: due) }
            persist(at: time.now)
        }
        guard let link else { return nil }
        for delivery in self.link?.schedule.take(by: time.now) ?? [] where !link.isSilent {
            link.outgoing.yield(delivery)
        }
        return [self.link?.schedule.next, receiver.verdictDue].compactMap(\.self).min()
    }
}

extension AttributeServer.Event {
    /// What was written to which characteristic.
    fileprivate var write: (value: [UInt8], to: BluetoothUUID)? {
        switch self {
        case .written(let value, let uuid), .commanded(let value, let uuid): (value, uuid)
        case .confirmed: nil
        }
    }
}

extension BootloaderReaction {
    fileprivate var notificationDue: Duration? {
        if case .notify(_, let due) = self { due } else { nil }
    }
}
