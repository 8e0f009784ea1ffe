public import Bluetooth

extension SimulatedBeacon {
    /// Starts a link that sends to `outgoing`; returns its number, or nil if it is refused.
    func connect(_ outgoing: AsyncStream<DeliverySchedule.Delivery>.Continuation) -> Int? {
        let now = time.now
        guard isFree(at: now), device.takesLink(at: now) else { return nil }
        links += 1
        link = BeaconLink(number: links, server: device.connect(at: now), outgoing: outgoing)
        watch?.tell(.connected)
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
                watch?.tell(.broke(AttributeRule.requestBeforeResponse.broken))
            }
            taking([]) { react { device.receive(packet, by: &$0, at: now) } }
            tellCompletion()
        }
        endPacket(at: now)
        endStep(at: now)
        return flushAndClaim(number)
    }

    /// Whether a packet with this fate reaches the device; applies the other effects of the fate.
    func isProcessed(_ fate: FaultPlan.PacketOutcome) -> Bool {
        switch fate {
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
        tellNews()
        for reaction in reactions { perform(reaction) }
    }

    private func perform(_ reaction: BeaconReaction) {
        switch reaction {
        case .send(let packet, let due): link?.schedule.add(.send(packet), at: due)
        case .notify(let value, let source, let mayIndicate, let due):
            watch?.tell(.answered(value, from: source))
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
        watch?.tell(.disconnected)
        if let due = device.disconnect(at: now) { resetDue = due }
        catchUp(to: now)
        persist(at: now)
    }
}

/// What an air needs of a simulated device: it advertises, and it serves links.
public protocol SimulatedPeer: Actor {
    /// The address at which it advertises now.
    var address: DeviceAddress { get }
    var packets: AdvertisingPackets { get }
    /// The key of its bond with a central; nil without a bond.
    var bond: Int? { get }
    /// The number of accepted links.
    var links: Int { get }
    func advertise(with packets: AdvertisingPackets)
    /// The last advert by `now`; nil if there is nothing to hear.
    func advertisement(at now: Duration) -> Advertisement?
    /// The adverts after `earlier` and by `now`, in order.
    func reports(after earlier: Duration, through now: Duration) -> [Advertisement]
    /// When the next advert is sent, or when to ask again.
    func nextReport(after now: Duration) -> Duration
    /// Serves one link until either side ends it. `answer` receives whether the link was accepted.
    func serve(_ bearer: some Bearer, answering answer: OneShot<Bool>?) async
    /// Encrypts the link with the key of a bond, or pairs if the central has none.
    func encrypt(with key: Int?) -> LinkEncryption
    /// The longest packet of a channel to `psm` over the current link; nil if none is accepted.
    func channelMTU(psm: UInt16) -> Int?
    /// The channel that it may accept, and its longest packet; nil for none.
    var offeredChannel: (psm: UInt16, maximumPacket: Int)? { get }
    /// Reports to `watcher` what clients do from now on, in order.
    func watch(_ watcher: @escaping @Sendable (ClientAct) -> Void)
    /// Serves a channel to `psm` until it or the link ends. `answer` receives whether the channel was accepted.
    func serveChannel(_ bearer: some Bearer, psm: UInt16, answering answer: OneShot<Bool>?) async
}
