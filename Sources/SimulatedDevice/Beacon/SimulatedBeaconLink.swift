import Timing

extension SimulatedBeacon {
    func connect(_ outgoing: AsyncStream<DeliverySchedule.Delivery>.Continuation) -> Int? {
        let now = time.now
        catchUp(to: now)
        guard link == nil, resetDue == nil, now >= awakens else { return nil }
        lastLink += 1
        let presence = presence
        link = Link(
            number: lastLink, controlPoint: presence.controlPoint, packet: presence.packet,
            response: presence.response, server: server(), outgoing: outgoing)
        if takesUpdates { bootloader.connect(at: now) }
        persist(at: now)
        return lastLink
    }

    private func server() -> AttributeServer {
        switch program {
        case .application:
            return AttributeServer(description.applicationTable(version: runningVersion), maximumMTU: 247)
        case .bootloader: return presence.server()
        }
    }

    /// Processes one packet; the result is when something is left to be sent later.
    func receive(_ packet: [UInt8], on number: Int) -> Duration? {
        let now = time.now
        catchUp(to: now)
        guard let link, link.number == number, !link.isCut else { return nil }
        switch faults.arrival(of: packet) {
        case .cut:
            cutLink()
            return nil
        case .fallSilent:
            self.link?.isSilent = true
            return nil
        case .process where !link.isSilent: process(packet, at: now)
        case .process, .ignore: break
        }
        if faults.losesPowerNow || faults.losesPower(bootloader) {
            restart(at: now)
        } else if faults.cutsNow {
            cutLink()
        }
        persist(at: now)
        return flush(number)
    }

    private func process(_ packet: [UInt8], at now: Duration) {
        guard let outcome = link?.server.receive(packet) else { return }
        if packet.first == 0x0A, takesUpdates { bootloader.accessed(at: now) }
        if let answer = outcome.answer, answers(outcome.event) {
            link?.schedule.add(.send(answer), at: now)
        }
        guard takesUpdates else { return processInApplication(outcome.event, at: now) }
        switch outcome.event {
        case .written(let value, link?.controlPoint), .commanded(let value, link?.controlPoint):
            if let result = faults.result(insteadOf: value) {
                perform(.notify([link?.response ?? 0, value.first ?? 0] + result, at: now))
            } else {
                bootloader.controlPoint(value, at: now).forEach(perform)
            }
        case .written(let value, link?.packet), .commanded(let value, link?.packet):
            bootloader.packet(value, at: now).forEach(perform)
        case .written, .commanded, .confirmed, nil: break
        }
    }

    /// Whether the device lives to answer this.
    private func answers(_ event: AttributeServer.Event?) -> Bool {
        if takesUpdates {
            guard case .written(let value, link?.controlPoint) = event else { return true }
            return bootloader.answers(value)
        }
        guard let application = description.legacyApplication,
            case .written(let value, LegacyApplication.controlPoint) = event
        else { return true }
        return application.answers(value)
    }

    private func processInApplication(_ event: AttributeServer.Event?, at now: Duration) {
        if let application = description.legacyApplication {
            guard case .written(let value, LegacyApplication.controlPoint) = event else { return }
            return application.request(value, at: now).forEach { perform($0, at: now) }
        }
        switch event {
        case .written(let value, description.buttonless.characteristic):
            application.request(value, isBonded: isBondedLink, at: now).forEach { perform($0, at: now) }
        case .confirmed: application.confirmed(at: now).forEach { perform($0, at: now) }
        case .written, .commanded, nil: break
        }
    }

    private func perform(_ reaction: ButtonlessApplication.Reaction, at now: Duration) {
        switch reaction {
        case .tell(let value, let due): notify(value, at: due)
        case .storeName(let name): bootloader.store(name: name, at: now)
        case .enterBootloader(let due):
            isEntering = true
            handOverBond()
            restart(due: due)
        case .crash: restart(due: now)
        }
    }

    private func restart(due: Duration) {
        resetDue = due
        if link?.schedule.endsLink == false { link?.schedule.add(.close, at: due) }
    }

    private func perform(_ reaction: BootloaderReaction) {
        switch reaction {
        case .notify(let value, let due): notify(value, at: due)
        case .disconnect(let due): link?.schedule.add(.close, at: due)
        case .reset(let due): restart(due: due)
        }
    }

    private func notify(_ value: [UInt8], at due: Duration) {
        let treated = faults.treat(value, at: due)
        let packet =
            switch (takesUpdates, description.entryCharacteristic) {
            case (true, _), (false, nil):
                link.flatMap { $0.server.notification(treated.value, from: $0.controlPoint) }
            case (false, let source?):
                link?.server.notification(treated.value, from: source)
                    ?? link?.server.indication(treated.value, from: source)
            }
        guard let packet else { return }
        if treated.waitsForNext {
            link?.schedule.hold(packet)
        } else {
            link?.schedule.addNotification(packet, copies: treated.copies, at: treated.due)
        }
    }

    /// Hands over what is due; the result is when the next delivery is.
    func flush(_ number: Int) -> Duration? {
        guard let link, link.number == number else { return nil }
        for delivery in self.link?.schedule.take(by: time.now) ?? [] where !link.isSilent {
            link.outgoing.yield(delivery)
        }
        return self.link?.schedule.next
    }

    /// Ends the link without its waiting answers; what the bootloader has begun goes on.
    func cutLink() {
        link?.schedule = DeliverySchedule()
        link?.isCut = true
        link?.outgoing.yield(.close)
    }

    func disconnect(_ number: Int) {
        let now = time.now
        catchUp(to: now)
        guard link?.number == number else { return }
        link = nil
        application.disconnected()
        if takesUpdates { bootloader.disconnect(at: now) }
        persist(at: now)
    }
}
