import Timing

extension SimulatedBeacon {
    /// A link begins that `outgoing` leads to; its number, nil where none is taken.
    func connect(_ outgoing: AsyncStream<DeliverySchedule.Delivery>.Continuation) -> Int? {
        let now = time.now
        guard isFree(at: now), device.takesLink(at: now) else { return nil }
        links += 1
        link = BeaconLink(number: links, server: device.connect(at: now), outgoing: outgoing)
        watch?.tell(.connected)
        persist(at: now)
        return links
    }

    /// Processes one packet; the result is when something is left to be sent later and nobody waits for it.
    func receive(_ packet: [UInt8], on number: Int) -> Duration? {
        let now = time.now
        catchUp(to: now)
        guard let link, link.number == number, !link.isCut else { return nil }
        if isProcessed(faults.arrival(of: packet, at: now)) {
            if link.schedule.holdsResponse, AttributeServer.isRequest(packet) {
                watch?.tell(.broke(AttributeRule.requestBeforeResponse.broken))
            }
            taking([]) { react { device.receive(packet, by: &$0, at: now) } }
            tellCompletion()
        }
        endPacket(at: now)
        endStep(at: now)
        return flushAndClaim(number)
    }

    /// Whether a packet with this fate gets to the device; carries out what else it means.
    func isProcessed(_ fate: FaultPlan.PacketOutcome) -> Bool {
        switch fate {
        case .process: return link?.isSilent == false
        case .ignore: break
        case .cut: link?.cut()
        case .fallSilent: link?.isSilent = true
        }
        return false
    }

    /// What ends with the packet that has arrived.
    func endPacket(at now: Duration) {
        if faults.losesPowerNow {
            restart(at: now)
        } else if faults.cutsNow {
            link?.cut()
        }
    }

    /// What ends with how far the device is.
    func endStep(at now: Duration) {
        switch device.linkFault() {
        case .powerLoss: restart(at: now)
        case .cut: link?.cut()
        case nil: break
        }
        persist(at: now)
    }

    /// Carries out what the device does about something, by the server of the link that there is.
    func react(_ body: (inout AttributeServer) -> [BeaconReaction]) {
        let reactions = link?.withServer(body) ?? []
        tellNews()
        for reaction in reactions { perform(reaction) }
    }

    private func perform(_ reaction: BeaconReaction) {
        switch reaction {
        case .send(let packet, let due): link?.schedule.add(.send(packet), at: due)
        case .notify(let value, let source, let mayIndicate, let due):
            watch?.tell(.answered(value, from: source))
            let treated = faults.treat(due)
            let packet =
                link?.server.notification(value, from: source)
                ?? (mayIndicate ? link?.server.indication(value, from: source) : nil)
            guard let packet else { return }
            if treated.waitsForNext {
                link?.schedule.hold(packet)
            } else {
                link?.schedule.addNotification(packet, copies: treated.copies, at: treated.due)
            }
        case .disconnect(let due): link?.schedule.close(at: due)
        case .reset(let due): resetDue = due
        }
    }

    /// Hands over what is due; the result is when the next delivery is.
    func flush(_ number: Int) -> Duration? {
        guard link?.number == number else { return nil }
        if let due = device.announcementDue, due <= time.now {
            link?.server.forgetNews()
            react { device.announce(by: &$0, at: due) }
            tellCompletion()
            persist(at: time.now)
        }
        guard let link else { return nil }
        for delivery in self.link?.schedule.take(by: time.now) ?? [] where !link.isSilent {
            link.outgoing.yield(delivery)
        }
        return [self.link?.schedule.next, device.announcementDue].compactMap(\.self).min()
    }

    /// Hands over what is due; the result is when to do so again, nil where somebody else waits for that moment or an
    /// earlier one.
    func flushAndClaim(_ number: Int) -> Duration? {
        guard let moment = flush(number), link?.number == number else { return nil }
        if let awaited = link?.awaited, time.now < awaited, awaited <= moment { return nil }
        link?.awaited = moment
        return moment
    }

    /// The link has ended.
    func disconnect(_ number: Int) {
        let now = time.now
        catchUp(to: now)
        guard link?.number == number else { return }
        link?.closeChannel()
        link = nil
        watch?.tell(.disconnected)
        if let due = device.disconnect(at: now) { resetDue = due }
        catchUp(to: now)
        persist(at: now)
    }
}
