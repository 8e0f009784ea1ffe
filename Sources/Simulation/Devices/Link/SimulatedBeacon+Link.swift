import Bluetooth

extension SimulatedBeacon {
    /// Starts a link that sends to `outgoing`; returns its number, or nil if it is refused.
    func connect(_ outgoing: AsyncStream<DeliverySchedule.Delivery>.Continuation) -> Int? {
        let now = time.now
        guard isFree(at: now), device.takesLink(at: now) else { return nil }
        links += 1
        link = BeaconLink(number: links, server: device.connect(at: now), outgoing: outgoing)
        watch?.report(.connected)
        persist(at: now)
        return links
    }

    /// Processes one packet; returns when a later delivery is due that no task waits for yet.
    func receive(_ packet: [UInt8], on number: Int) -> Duration? {
        let now = time.now
        catchUp(to: now)
        guard let link, link.number == number, !link.isCut else { return nil }
        if isProcessed(faults.arrival(of: packet, at: now)) {
            if link.schedule.holdsResponse, AttributeServer.isRequest(packet) {
                watch?.report(.broke(AttributeRule.requestBeforeResponse.broken))
            }
            observing([]) { react { device.receive(packet, by: &$0, at: now) } }
            reportCompletion()
        }
        endPacket(at: now)
        endStep(at: now)
        return flushAndClaim(number)
    }

    /// Whether a packet with this outcome reaches the device; ends or silences the link if the outcome says so.
    func isProcessed(_ outcome: FaultPlan.PacketOutcome) -> Bool {
        switch outcome {
        case .process: return link?.isSilent == false
        case .ignore: break
        case .cut: link?.cut()
        case .fallSilent: link?.isSilent = true
        }
        return false
    }

    func endPacket(at now: Duration) {
        if faults.losesPowerNow { restart(at: now) } else if faults.cutsNow { link?.cut() }
    }

    func endStep(at now: Duration) {
        switch device.linkFault() {
        case .powerLoss: restart(at: now)
        case .cut: link?.cut()
        case nil: break
        }
        persist(at: now)
    }

    /// Applies the device's reactions with the server of the current link.
    func react(_ body: (inout AttributeServer) -> [BeaconReaction]) {
        let reactions = link?.withServer(body) ?? []
        reportLastPacket()
        for reaction in reactions { perform(reaction) }
    }

    private func perform(_ reaction: BeaconReaction) {
        switch reaction {
        case .send(let packet, let due): link?.schedule.add(.send(packet), at: due)
        case .notify(let value, let source, let mayIndicate, let due):
            watch?.report(.answered(value, from: source))
            let altered = faults.applyFaults(toNotificationDue: due)
            let packet =
                link?.server.notification(value, from: source)
                ?? (mayIndicate ? link?.server.indication(value, from: source) : nil)
            guard let packet else { return }
            if altered.waitsForNext {
                link?.schedule.hold(packet)
            } else {
                link?.schedule.addNotification(packet, copies: altered.copies, at: altered.due)
            }
        case .disconnect(let due): link?.schedule.close(at: due)
        case .reset(let due): resetDue = due
        }
    }

    func flush(_ number: Int) -> Duration? {
        guard link?.number == number else { return nil }
        if let due = device.announcementDue, due <= time.now {
            link?.server.forgetLastPacket()
            react { device.announce(by: &$0, at: due) }
            reportCompletion()
            persist(at: time.now)
        }
        guard let link else { return nil }
        for delivery in self.link?.schedule.take(by: time.now) ?? [] where !link.isSilent {
            link.outgoing.yield(delivery)
        }
        return [self.link?.schedule.next, device.announcementDue].compactMap(\.self).min()
    }

    /// Delivers what is due; returns when to do so again, nil if another task waits for that time or an earlier one.
    func flushAndClaim(_ number: Int) -> Duration? {
        guard let moment = flush(number), link?.number == number else { return nil }
        if let awaited = link?.awaited, time.now < awaited, awaited <= moment { return nil }
        link?.awaited = moment
        return moment
    }

    func disconnect(_ number: Int) {
        let now = time.now
        catchUp(to: now)
        guard link?.number == number else { return }
        link?.closeChannel()
        link = nil
        watch?.report(.disconnected)
        if let due = device.disconnect(at: now) { resetDue = due }
        catchUp(to: now)
        persist(at: now)
    }
}
