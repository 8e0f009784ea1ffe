public import Bluetooth

/// A simulated beacon over any `Bearer`: its device is a value, the beacon manages the device's link and time.
///
/// It has no timer: what is due (a reset, a timeout) is applied whenever the state is needed. Only `serve` waits, for
/// responses that flash delays.
public actor SimulatedBeacon<Device: BeaconDevice>: SimulatedPeer {
    public nonisolated let description: Device.Description

    let time: Timekeeper
    let memory: (any BeaconMemory)?
    var faults: FaultPlan
    var device: Device
    let begun: Duration
    /// When the started program is up.
    var programStart: Duration
    var resetDue: Duration?

    var link: BeaconLink?
    var watch: ClientWatch?
    /// The packets with which all of its programs advertise.
    public private(set) var packets = AdvertisingPackets.legacy
    public internal(set) var links = 0
    var channels = 0

    /// A beacon with `device`, which is up after `delay`; `memory` stores its state beyond the program.
    ///
    /// The beacon carries out those of `faults` that concern links, packets and power; the device handles the others.
    public init(
        _ device: Device, time: Timekeeper, faults: [Fault] = [], startingIn delay: Duration = .zero,
        memory: (any BeaconMemory)? = nil
    ) {
        description = device.description
        self.device = device
        self.time = time
        self.faults = FaultPlan(faults)
        self.memory = memory
        begun = time.now
        programStart = begun + delay
    }

    /// The device in its current state.
    public var current: Device {
        catchUp(to: time.now)
        return device
    }

    public var address: DeviceAddress { device.address }
    public var offeredChannel: (psm: UInt16, maximumPacket: Int)? { device.offeredChannel }
    public var bond: Int? { device.bond }
    public func advertise(with packets: AdvertisingPackets) { self.packets = packets }

    /// The last advert by `now`; nil while the beacon is connected or not up.
    public func advertisement(at now: Duration) -> Advertisement? {
        isFree(at: now) ? device.advertisement(at: now) : nil
    }

    /// A connectable extended advert has no scan response (Vol 6, Part B, 2.3.1.7): it contains those data itself.
    public func reports(after earlier: Duration, through now: Duration) -> [Advertisement] {
        var reports: [Advertisement] = []
        for var report in isFree(at: now) ? device.reports(after: earlier, through: now) : [] {
            report.packets = packets
            if packets.isExtended, report.isConnectable == nil, let last = reports.indices.last {
                reports[last].data.elements += report.data.elements
            } else {
                reports.append(report)
            }
        }
        return reports
    }

    public func nextReport(after now: Duration) -> Duration {
        min(device.nextReport(after: now), now + .milliseconds(100))
    }

    func isFree(at now: Duration) -> Bool {
        catchUp(to: now)
        return link == nil && resetDue == nil && now >= programStart && !faults.isAway(at: now - begun)
    }

    /// Interrupts the power briefly; a reset has the same effect.
    public func powerCycle() { restart(at: time.now) }

    public func encrypt(with key: Int?) -> LinkEncryption {
        let now = time.now
        catchUp(to: now)
        guard let link, !link.isCut else { return .refused("the link is gone") }
        self.link?.server.forgetLastPacket()
        var outcome = LinkEncryption.refused("the link is gone")
        react { server in
            let (result, reactions) = device.encrypt(with: key, &server, at: now)
            outcome = result
            if case .done = result { server.isEncrypted = true }
            return reactions
        }
        persist(at: now)
        _ = flush(link.number)
        return outcome
    }

    private func offer(to psm: UInt16) -> ChannelOffer? {
        catchUp(to: time.now)
        guard let link, !link.isCut, link.endChannel == nil else { return nil }
        return device.channel(to: psm)
    }

    public func channelMTU(psm: UInt16) -> Int? { offer(to: psm)?.maximumPacket }

    /// A packet is read from the air if there is a credit for it. It waits in a buffer until flash has finished the
    /// previous ones, and its credit returns when it leaves the buffer (Core, Vol 3, Part A, 10.1).
    public func serveChannel(
        _ bearer: some Bearer, psm: UInt16, answering answer: OneShot<Bool>? = nil
    ) async {
        guard let offer = offer(to: psm), let number = link?.number else {
            answer?.resolve(false)
            return bearer.close()
        }
        channels += 1
        watch?.report(.openedChannel(psm: psm))
        link?.endChannel = { bearer.close() }
        answer?.resolve(true)
        let (credits, given) = AsyncStream.makeStream(of: Void.self)
        for _ in 0..<offer.credits { given.yield() }
        let (buffer, arriving) = AsyncStream.makeStream(of: [UInt8].self)
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { await self.fill(arriving, from: bearer, by: credits, offer, on: number) }
                for await packet in buffer {
                    guard await flashIsIdle() else { break }
                    given.yield()
                    guard takeFromChannel(packet, on: number) else { break }
                    if let moment = flush(number) {
                        group.addTask { await self.flushLater(number, at: moment) }
                    }
                }
                given.finish()
                bearer.close()
            }
        } onCancel: {
            bearer.close()
        }
        if link?.number == number { link?.endChannel = nil }
    }

    private func fill(
        _ buffer: AsyncStream<[UInt8]>.Continuation, from bearer: some Bearer, by credits: AsyncStream<Void>,
        _ offer: ChannelOffer, on number: Int
    ) async {
        for await _ in credits {
            guard let packet = try? await bearer.receive(), packet.count <= offer.maximumPacket,
                let isProcessed = arrive(on: number)
            else { break }
            buffer.yield(isProcessed ? packet : [])
        }
        buffer.finish()
    }

    /// Waits until flash is idle; returns false if the beacon is gone by then.
    private func flashIsIdle() async -> Bool {
        while true {
            let moment = device.flash.idle(at: time.now)
            guard moment > time.now else { return true }
            guard (try? await time.sleep(until: moment)) != nil else { return false }
        }
    }

    /// A packet arrives from the air: returns whether to process it; nil ends the channel.
    private func arrive(on number: Int) -> Bool? {
        let now = time.now
        catchUp(to: now)
        guard let link, link.number == number, !link.isCut else { return nil }
        // For the faults, a packet of a channel counts as a Write Command.
        let isProcessed = isProcessed(faults.arrival(of: [0x52], at: now))
        endPacket(at: now)
        return isProcessed
    }

    private func takeFromChannel(_ packet: [UInt8], on number: Int) -> Bool {
        let now = time.now
        catchUp(to: now)
        guard let current = link, current.number == number, !current.isCut else { return false }
        guard !packet.isEmpty else { return true }
        link?.server.forgetLastPacket()
        watch?.report(.sent(bytes: packet.count))
        observing(packet) { react { device.receiveOverChannel(packet, by: &$0, at: now) } }
        endStep(at: now)
        return true
    }

    func catchUp(to now: Duration) {
        if let due = resetDue, due <= now { restart(at: due) }
        while resetDue == nil, let deadline = device.inactivityDeadline, deadline <= now {
            restart(at: deadline)
        }
    }

    func restart(at moment: Duration) {
        let time = device.reset(at: moment)
        resetDue = nil
        programStart = moment + time + (device.startsSlowly ? faults.startDelay : .zero)
        // The central is still connected to a program that no longer runs: only the end of the link is left to report.
        if link != nil { watch?.report(.disconnected) }
        link?.cut()
        link = nil
        watch?.report(.restarted)
        persist(at: moment)
    }

    /// Stores the memory as it will be after all pending operations.
    func persist(at now: Duration) {
        let changes = device.flash.takeChanges()
        guard let memory else { return }
        var settled = device.settled(at: now, before: resetDue)
        if let state = settled.retained { memory.begin(with: state) }
        for range in changes + settled.flash.takeChanges() {
            memory.remember(
                image: settled.flash.content(range)[...], at: range.lowerBound - device.memoryStart)
        }
        if let state = settled.retained { memory.remember(state) }
    }

    /// A beacon that is not up, or already has a link, ends the new one at once.
    public func serve(_ bearer: some Bearer, answering answer: OneShot<Bool>? = nil) async {
        guard faults.hasAttributeFaults else { return await pump(bearer, flooding: nil, answering: answer) }
        let faulty = FaultyBearer(bearer, time: time) { [weak self] in
            await self?.faults.attributeFaults ?? []
        }
        await pump(faulty, flooding: { await faulty.flood() }, answering: answer)
    }

    private func pump(
        _ bearer: some Bearer, flooding flood: (@Sendable () async -> Void)?, answering answer: OneShot<Bool>?
    ) async {
        let (deliveries, outgoing) = AsyncStream.makeStream(of: DeliverySchedule.Delivery.self)
        let taken = connect(outgoing)
        answer?.resolve(taken != nil)
        guard let number = taken else { return bearer.close() }
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { await Self.deliver(deliveries, over: bearer) }
                group.addTask { await self.endUnreachableLink(number) }
                if let flood { group.addTask { await flood() } }
                while let packet = try? await bearer.receive() {
                    guard let moment = receive(packet, on: number) else { continue }
                    group.addTask { await self.flushClaimed(number, at: moment) }
                }
                outgoing.finish()
                bearer.close()
                group.cancelAll()
            }
        } onCancel: {
            bearer.close()
        }
        disconnect(number)
    }

    func flushLater(_ number: Int, at moment: Duration) async {
        let time = time
        var next: Duration? = moment
        while let moment = next, (try? await time.sleep(until: moment)) != nil { next = flush(number) }
    }

    /// Like `flushLater`, for a claimed time. It ends if another task of the link has claimed the next one: otherwise a
    /// device that always has something due would have one waiting task for each packet ever received.
    private func flushClaimed(_ number: Int, at moment: Duration) async {
        let time = time
        var next: Duration? = moment
        while let moment = next, (try? await time.sleep(until: moment)) != nil {
            if link?.number == number, link?.awaited == moment { link?.awaited = nil }
            next = flushAndClaim(number)
        }
    }

    /// How long a link lasts without packets: the supervision timeout of update links.
    private static var supervisionTimeout: Duration { .seconds(6) }

    /// Ends the link if the beacon is out of reach for longer than the supervision timeout.
    private func endUnreachableLink(_ number: Int) async {
        let (time, begun) = (time, begun)
        guard let moment = faults.nextAbsence(after: time.now - begun, of: Self.supervisionTimeout),
            (try? await time.sleep(until: begun + moment)) != nil, link?.number == number
        else { return }
        link?.isSilent = true
        guard (try? await time.sleep(for: Self.supervisionTimeout)) != nil, link?.number == number else {
            return
        }
        link?.cut()
    }

    /// The only sender of a link, so that packets leave in order; it ends the link on request, or if sending fails.
    private static func deliver(
        _ deliveries: AsyncStream<DeliverySchedule.Delivery>, over bearer: some Bearer
    ) async {
        for await delivery in deliveries {
            guard case .send(let packet) = delivery, (try? await bearer.send(packet)) != nil else { break }
        }
        bearer.close()
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
