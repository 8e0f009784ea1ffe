public import BluetoothTypes
import GATT
public import PacketSockets
public import Radio
public import SimulatedDevice
public import Timing

/// The adapter of an air that is not there: simulated beacons advertise, and connections are kernel socket
/// pairs with a modelled link on the beacon's side. Several adapters may be in one air, each with a controller of its
/// own.
///
/// It lives in a scope: beacons run as its children and end with it.
public struct SimulatedAdapter: Adapter {
    /// How often somebody who waits to connect looks.
    static let connectingInterval = Duration.milliseconds(100)

    /// The time of everything in this air.
    public let time: Timekeeper
    /// Nothing is filtered.
    public var passesEveryReport: Bool { true }
    /// While links are made, it hears nobody else.
    public var connectingTime: Duration { controllerLinks.connectingTime(at: time.now) }
    /// Who is near.
    public let peers: [any SimulatedPeer]
    /// What it can do.
    public var controller: SimulatedController { controllerLinks.controller }
    /// `sim0` and the like; another one where it has come back under another.
    public var name: String { controllerLinks.name }
    let controllerLinks: ControllerLinks
    /// When the air began.
    let begun: Duration
    let model: LinkModel?
    let readiness: any DescriptorReadiness
    let jobs: AsyncStream<@Sendable () async -> Void>.Continuation
    let bonds = BondStore()
    let terms = ChannelTerms()
    /// What this air has in common with other programs; nil where it has nothing.
    let locks: NamedLocks?

    /// Those of `peers` with a Nordic bootloader.
    public var beacons: [NordicBeacon] { peers.compactMap { $0 as? NordicBeacon } }
    /// Those of `peers` with SUOTA.
    public var suotaBeacons: [SUOTABeacon] { peers.compactMap { $0 as? SUOTABeacon } }
    /// Those of `peers` that take FBeacon updates.
    public var fbeacons: [FBeaconBeacon] { peers.compactMap { $0 as? FBeaconBeacon } }
    /// Those of `peers` that only tell who they are.
    public var advertisers: [AdvertisingBeacon] { peers.compactMap { $0 as? AdvertisingBeacon } }

    /// How many connections `peers` have taken.
    public var connections: Int {
        get async {
            var sum = 0
            for peer in peers { sum += await peer.links }
            return sum
        }
    }

    /// Runs `body` with an adapter among `peers`; `model` nil is a link without air time. With `locks` other
    /// programs may have the same beacons.
    public static func withBeacons<Value: Sendable>(
        _ peers: [any SimulatedPeer], link model: LinkModel?, time: Timekeeper,
        readiness: any DescriptorReadiness, locks: NamedLocks? = nil,
        controller: SimulatedController = SimulatedController(),
        _ body: (SimulatedAdapter) async throws -> Value
    ) async throws -> Value {
        let air = SimulatedAir(peers: peers, model: model, time: time, readiness: readiness, locks: locks)
        return try await air.withAdapter(controller, body)
    }

    /// As above with several adapters, which hear the same beacons.
    public static func withAdapters<Value: Sendable>(
        _ controllers: [SimulatedController], among peers: [any SimulatedPeer], link model: LinkModel?,
        time: Timekeeper, readiness: any DescriptorReadiness, locks: NamedLocks? = nil,
        _ body: ([SimulatedAdapter]) async throws -> Value
    ) async throws -> Value {
        let air = SimulatedAir(peers: peers, model: model, time: time, readiness: readiness, locks: locks)
        return try await air.withAdapters(controllers, body)
    }

    /// Everything heard until the listener stops, or the adapter is pulled out.
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
                    var scanner = AirScanner(peers, of: controllerLinks.controller, at: time.now)
                    repeat {
                        let reports = await scanner.listen(at: time.now)
                        // A scan is off while a link is made.
                        if !controllerLinks.isConnecting { for report in reports { listener.yield(report) } }
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

    /// A link to the beacon that advertises as `peer`, or a channel beside the link that there is to it.
    public func open(
        _ channel: LinkChannel, to peer: DeviceAddress, asking wish: LinkRequest, within limit: Duration
    ) async throws(AdapterError) -> PacketSocket {
        if case .creditBased(let psm) = channel { return try await connect(psm: psm, to: peer) }
        return try await link(to: peer, asking: wish, by: time.now + limit)
    }

    /// Gives all links this interval whose model follows requests.
    public func retune(interval: Duration) async {
        for air in bonds.airs { air.retune(interval, at: time.now) }
    }

    /// As the model has it; a link without a model has no air to speak of.
    public func parameters(of channel: PacketSocket) async -> LinkParameters {
        guard let model else { return LinkParameters(maximumPacket: terms[channel]) }
        let air = bonds.beacon(at: channel).flatMap { bonds.air(to: $0) }
        return LinkParameters(
            interval: air?.interval(at: time.now) ?? model.interval, phy: PHY(rawValue: model.phy.rawValue),
            maximumPacket: terms[channel])
    }

    /// With the key of a bond, or by pairing without a passkey; most simulated beacons refuse both.
    public func encrypt(_ channel: PacketSocket, within limit: Duration) async throws(AdapterError) {
        guard let beacon = bonds.beacon(at: channel) else {
            throw .notEncrypted(nil, reason: "the link is gone")
        }
        switch await beacon.encrypt(with: bonds[beacon]) {
        case .done(let key): bonds[beacon] = key
        case .refused(let reason): throw .notEncrypted(await beacon.address, reason: reason)
        }
    }

    /// Keeps other programs away from a beacon whose memory they share.
    public func claim(_ peer: DeviceAddress) throws(AdapterError) -> BeaconClaim {
        guard let locks else { return BeaconClaim() }
        do throws(NamedLock.Owner) {
            return BeaconClaim(keeping: try locks.share(in: "beacon/\(peer)/\(peer.kind.rawValue)"))
        } catch { throw .inUse(peer, by: "\(error)") }
    }

    /// A link that `beacon` has taken; nil when somebody else's came first.
    func connect(
        to beacon: any SimulatedPeer, asking wish: LinkRequest
    ) async throws(AdapterError) -> PacketSocket? {
        guard let slot = controllerLinks.take(for: beacon) else { throw .tooManyLinks(adapter: name) }
        let air = model.map { LinkAir($0.asked(wish.interval), begun: time.now) }
        let near = try await near { [time] far, answer in
            let held = HeldLink(far, in: slot, time: time)
            guard let air else { return await beacon.serve(held, answering: answer) }
            await beacon.serve(ModelledLink(held, over: air, time: time), answering: answer)
        }
        guard let near else { return nil }
        slot.note(near)
        bonds.note(near, over: air, to: beacon)
        return near
    }

    /// A channel to `psm` of a beacon that we have a link to.
    private func connect(psm: UInt16, to peer: DeviceAddress) async throws(AdapterError) -> PacketSocket {
        for beacon in peers where await beacon.address == peer {
            guard let maximum = await beacon.channelMTU(psm: psm) else { continue }
            let air = bonds.air(to: beacon)
            let near = try await near { [time] far, answer in
                guard let air else { return await beacon.serveChannel(far, psm: psm, answering: answer) }
                // Every packet says how long it is (Vol 3, Part A, 3.4.3).
                let link = ModelledLink(far, over: air, overhead: 2, time: time)
                await beacon.serveChannel(link, psm: psm, answering: answer)
            }
            guard let near else { break }
            terms.note(near, maximumPacket: maximum)
            return near
        }
        throw .unavailable("\(peer) takes no channel to PSM \(psm)")
    }

    /// Our end of a new socket pair once `serve` has taken the other end; nil when it did not.
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
        if case .terminated = handedOver { throw .unavailable("the simulated air is gone") }
        guard await answer.value() == true else {
            ends.near.close()
            return nil
        }
        return ends.near
    }
}
