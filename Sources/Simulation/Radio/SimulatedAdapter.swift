public import Bluetooth
import Synchronization

/// The adapter of a simulated air: simulated beacons advertise, and connections are kernel socket pairs with a modelled
/// link on the beacon's side. Several adapters can share one air, each with its own controller.
///
/// It lives in a scope: beacons run as its child tasks and end with it.
public struct SimulatedAdapter: Adapter {
    /// How often a pending connection attempt checks for its peer.
    static let connectingInterval = Duration.milliseconds(100)

    public let time: Timekeeper
    /// True: nothing is filtered.
    public var passesEveryReport: Bool { true }
    /// Several only with an accept list. With `instant`, links take no time, and a kernel makes one at a time.
    public var pendingLinks: Int { controllerLinks.controller.connecting == .acceptList ? 16 : 1 }
    public var coded: CodedReception? { controllerLinks.controller.coded }
    /// How long the controller has spent making links; it hears no adverts during that time.
    public var connectingTime: Duration { controllerLinks.connectingTime(at: time.now) }
    public let peers: [any SimulatedPeer]
    public var controller: SimulatedController { controllerLinks.controller }
    /// `sim0` and the like; it changes if the adapter comes back under another name.
    public var name: String { controllerLinks.name }
    let controllerLinks: ControllerLinks
    let begun: Duration
    let model: LinkModel?
    let readiness: any DescriptorReadiness
    let jobs: AsyncStream<@Sendable () async -> Void>.Continuation
    let bonds = BondStore()
    /// The locks that this air shares with other programs; nil if it shares nothing.
    let locks: NamedLocks?

    /// The beacons among `peers` that only advertise their identity.
    public var advertisers: [AdvertisingBeacon] { peers.compactMap { $0 as? AdvertisingBeacon } }

    /// How many connections `peers` have accepted.
    public var connections: Int {
        get async {
            var sum = 0
            for peer in peers { sum += await peer.links }
            return sum
        }
    }

    /// Runs `body` with an adapter among `peers`; a nil `model` is a link without air time.
    public static func withBeacons<Value: Sendable>(
        _ peers: [any SimulatedPeer], link model: LinkModel?, time: Timekeeper,
        readiness: any DescriptorReadiness, controller: SimulatedController = SimulatedController(),
        _ body: (SimulatedAdapter) async throws -> Value
    ) async throws -> Value {
        try await withAdapters(
            [controller], among: peers, link: model, time: time, readiness: readiness
        ) { try await body($0[0]) }
    }

    /// Like `withBeacons`, with several adapters that hear the same beacons; `locks` are for beacons that other
    /// programs use, too. What the adapters started ends with `body`.
    public static func withAdapters<Value: Sendable>(
        _ controllers: [SimulatedController], among peers: [any SimulatedPeer], link model: LinkModel?,
        time: Timekeeper, readiness: any DescriptorReadiness, locks: NamedLocks? = nil,
        _ body: ([SimulatedAdapter]) async throws -> Value
    ) async throws -> Value {
        let (work, jobs) = AsyncStream.makeStream(of: (@Sendable () async -> Void).self)
        let adapters = controllers.map { controller in
            SimulatedAdapter(
                time: time, peers: peers, controllerLinks: ControllerLinks(controller), begun: time.now,
                model: model, readiness: readiness, jobs: jobs, locks: locks)
        }
        for peer in peers {
            let key = await peer.bond
            for adapter in adapters { adapter.bonds[peer] = key }
        }
        async let air: Void = withDiscardingTaskGroup { group in
            for adapter in adapters { group.addTask { await adapter.followPlug() } }
            for await job in work { group.addTask { await job() } }
            group.cancelAll()
        }
        let result: Result<Value, any Error>
        do { result = .success(try await body(adapters)) } catch { result = .failure(error) }
        jobs.finish()
        await air
        return try result.get()
    }

    /// Everything heard until the listener stops or the adapter is unplugged.
    public func advertisements() async throws(AdapterError) -> AsyncStream<Advertisement> {
        try await awaitPresence()
        let (stream, listener) = AsyncStream.makeStream(
            of: Advertisement.self, bufferingPolicy: .bufferingNewest(SightingMemory.most))
        let (ended, end) = AsyncStream.makeStream(of: Never.self)
        listener.onTermination = { _ in end.finish() }
        let (time, peers, controllerLinks) = (time, peers, controllerLinks)
        let number = controllerLinks.listen(until: end)
        jobs.yield {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    let begin = time.now
                    var scanner = AirScanner(peers, of: controllerLinks.controller, at: begin)
                    repeat {
                        let reports = await scanner.listen(at: time.now)
                        // Scanning is off while a link is being made.
                        guard !controllerLinks.isConnecting else { continue }
                        for report in reports {
                            controllerLinks.hear(report, at: time.now, since: begin)
                            listener.yield(report)
                        }
                    } while (try? await time.sleep(until: scanner.next)) != nil
                }
                for await _ in ended {}
                group.cancelAll()
            }
            controllerLinks.leave(number)
            listener.finish()
        }
        return stream
    }

    /// A link to the beacon that advertises as `peer`, or another channel over the existing link to it.
    public func open(
        _ channel: LinkChannel, to peer: DeviceAddress, asking linkRequest: LinkRequest,
        within limit: Duration
    ) async throws(AdapterError) -> PacketSocket {
        if case .creditBased(let psm) = channel { return try await connect(psm: psm, to: peer) }
        let needed = controllerLinks.intervals.connectionTime(of: peer, at: time.now)
        let limit = linkRequest.isLimitChosen ? limit : needed?.extending(limit) ?? limit
        return try await link(to: peer, asking: linkRequest, by: time.now + limit)
    }

    /// How often `peer` advertises, from the times of its reports.
    public func advertisingInterval(of peer: DeviceAddress) -> Duration? {
        controllerLinks.intervals.interval(of: peer)
    }

    /// Sets this interval on all links whose model follows requests, except those whose interval a user has chosen.
    public func retune(interval: Duration) async {
        for air in bonds.airs { air.retune(interval, at: time.now) }
    }

    /// The parameters that the model defines; a link without a model has no radio parameters.
    public func parameters(of channel: PacketSocket) async -> LinkParameters {
        guard let model else { return LinkParameters(maximumPacket: bonds.maximumPacket(of: channel)) }
        let air = bonds.beacon(at: channel).flatMap { bonds.air(to: $0) }
        return LinkParameters(
            interval: air?.interval(at: time.now) ?? model.interval, phy: air?.phy ?? model.phy,
            maximumPacket: bonds.maximumPacket(of: channel))
    }

    /// Encrypts with the key of a bond, or pairs without a passkey; most simulated beacons refuse both.
    public func encrypt(_ channel: PacketSocket, within limit: Duration) async throws(AdapterError) {
        guard let beacon = bonds.beacon(at: channel) else {
            throw .notEncrypted(nil, reason: "the link is gone")
        }
        switch await beacon.encrypt(with: bonds[beacon]) {
        case .done(let key): bonds[beacon] = key
        case .refused(let reason): throw .notEncrypted(await beacon.address, reason: reason)
        }
    }

    /// Locks out other programs from a beacon whose stored state they share.
    public func claim(_ peer: DeviceAddress) throws(AdapterError) -> BeaconClaim {
        guard let locks else { return BeaconClaim() }
        do throws(NamedLock.Owner) {
            return BeaconClaim(keeping: try locks.share(in: "beacon/\(peer)/\(peer.kind.rawValue)"))
        } catch { throw .inUse(peer, by: "\(error)") }
    }

    /// A link that `beacon` has accepted; nil if another central connected first.
    func connect(
        to beacon: any SimulatedPeer, asking linkRequest: LinkRequest
    ) async throws(AdapterError) -> PacketSocket? {
        guard let slot = controllerLinks.take(for: beacon) else { throw .tooManyLinks(adapter: name) }
        // A link to an extended advertiser starts on its secondary PHY (Vol 6, Part B, 4.4.2.4.2), and stays there.
        let phy = await beacon.packets.secondary
        let air = model.map { LinkAir($0.on(phy), asking: linkRequest, begun: time.now) }
        let near = try await near { [time] far, answer in
            let held = HeldLink(base: far, slot: slot, time: time)
            guard let air else { return await beacon.serve(held, answering: answer) }
            await beacon.serve(ModelledLink(held, over: air, time: time), answering: answer)
        }
        guard let near else { return nil }
        slot.note(near)
        controllerLinks.forgetInterval(of: await beacon.address)
        bonds.note(near, over: air, to: beacon)
        return near
    }

    /// A channel to `psm` of a beacon that already has a link to this adapter.
    private func connect(psm: UInt16, to peer: DeviceAddress) async throws(AdapterError) -> PacketSocket {
        for beacon in peers where await beacon.address == peer {
            guard let maximum = await beacon.channelMTU(psm: psm) else { continue }
            let air = bonds.air(to: beacon)
            let near = try await near { [time] far, answer in
                guard let air else { return await beacon.serveChannel(far, psm: psm, answering: answer) }
                // Every packet carries its length in 2 bytes (Vol 3, Part A, 3.4.3).
                let link = ModelledLink(far, over: air, overhead: 2, time: time)
                await beacon.serveChannel(link, psm: psm, answering: answer)
            }
            guard let near else { break }
            bonds.note(near, maximumPacket: maximum)
            return near
        }
        throw .unavailable("\(peer) does not accept a channel to PSM \(psm)")
    }

    /// Our end of a new socket pair, once `serve` has accepted the other end; nil if `serve` refuses it.
    private func near(
        _ serve: @escaping @Sendable (PacketSocket, OneShot<Bool>) async -> Void
    ) async throws(AdapterError) -> PacketSocket? {
        let ends: (near: PacketSocket, far: PacketSocket)
        do throws(SocketError) { ends = try PacketSocket.pair(readiness: readiness) } catch {
            throw .system(call: error.call, errno: error.errno)
        }
        let far = ends.far
        let answer = OneShot<Bool>()
        let handedOver = jobs.yield { await serve(far, answer) }
        if case .terminated = handedOver { throw .unavailable("the simulated adapter has ended") }
        guard await answer.value() == true else {
            ends.near.close()
            return nil
        }
        return ends.near
    }
}

/// What a host stores about its peers: bond keys, the peer of each link, and the terms of open channels.
final class BondStore: Sendable {
    private struct Peer {
        var key: Int?
        weak var channel: PacketSocket?
        var air: LinkAir?
        let beacon: any SimulatedPeer
    }

    private struct Channel {
        weak var channel: PacketSocket?
        let maximumPacket: Int
    }

    private let peers = Mutex<[ObjectIdentifier: Peer]>([:])
    private let channels = Mutex<[ObjectIdentifier: Channel]>([:])

    /// The longest packet that the peer of `channel` accepts; nil if `channel` carries attributes.
    func maximumPacket(of channel: PacketSocket) -> Int? {
        channels.withLock { $0[ObjectIdentifier(channel)] }
            .flatMap { $0.channel === channel ? $0.maximumPacket : nil }
    }

    func note(_ channel: PacketSocket, maximumPacket: Int) {
        channels.withLock { channels in
            channels = channels.filter { $0.value.channel != nil }
            channels[ObjectIdentifier(channel)] = Channel(channel: channel, maximumPacket: maximumPacket)
        }
    }

    /// The key of the bond with `beacon`; nil without a bond.
    subscript(beacon: any SimulatedPeer) -> Int? {
        get { peers.withLock { $0[ObjectIdentifier(beacon)]?.key } }
        set { peers.withLock { $0[ObjectIdentifier(beacon), default: Peer(beacon: beacon)].key = newValue } }
    }

    func note(_ channel: PacketSocket, over air: LinkAir?, to beacon: any SimulatedPeer) {
        peers.withLock { peers in
            peers[ObjectIdentifier(beacon), default: Peer(beacon: beacon)].channel = channel
            peers[ObjectIdentifier(beacon)]?.air = air
        }
    }

    func beacon(at channel: PacketSocket) -> (any SimulatedPeer)? {
        peers.withLock { $0.values.first { $0.channel === channel }?.beacon }
    }

    /// The air of the open link to each beacon, or else of its last link.
    var airs: [LinkAir] { peers.withLock { $0.values.compactMap(\.air) } }

    func air(to beacon: any SimulatedPeer) -> LinkAir? {
        peers.withLock { $0[ObjectIdentifier(beacon)]?.air }
    }
}

/// A listener in an air: receives what each peer sends, and knows when the next advert is due.
struct AirScanner: Sendable {
    private struct Source: Sendable {
        let peer: any SimulatedPeer
        /// How much stronger the listener receives the peer's reports than they were sent, in dB.
        let gain: Int
        var heard: Duration
        var due: Duration
    }

    private var sources: [Source]
    private let reception: AdvertisingPackets

    /// A listener that receives everything sent from `now` on, with the gain of `controller`.
    init(_ peers: [any SimulatedPeer], of controller: SimulatedController, at now: Duration) {
        reception = controller.hears
        sources = peers.enumerated().map { number, peer in
            Source(peer: peer, gain: controller.gain(of: number), heard: now - .nanoseconds(1), due: now)
        }
    }

    var next: Duration { sources.map(\.due).min() ?? .seconds(Int32.max) }

    /// What the peers that are due at `now` have sent since the last call.
    mutating func listen(at now: Duration) async -> [Advertisement] {
        var reports: [Advertisement] = []
        for index in sources.indices where sources[index].due <= now {
            let peer = sources[index].peer
            let gain = sources[index].gain
            for var report in await peer.reports(after: sources[index].heard, through: now)
            where report.packets?.isHeard(with: reception) != false {
                report.rssi = report.rssi.map { Int8(clamping: Int($0) + gain) }
                reports.append(report)
            }
            sources[index].heard = now
            sources[index].due = await peer.nextReport(after: now)
        }
        return reports
    }
}
