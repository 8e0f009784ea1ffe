public import Bluetooth
import Bytes
import Logging
import Synchronization

/// The adapter of the kernel's Bluetooth sockets.
///
/// It scans and sets link parameters through the management channel, and connects over L2CAP; where the
/// management channel has no command, it sends HCI commands to the controller. It lives in a scope: what was
/// changed on the controller is restored when the scope ends.
public final class KernelAdapter: Adapter {
    /// Opens the raw HCI channel of a controller; nil where that is not permitted.
    typealias HCIOpening = @Sendable (UInt16) -> (any Bearer)?

    /// Makes one attempt to connect a channel, from the adapter's address to a peer's, within a limit.
    typealias Connecting =
        @Sendable (LinkChannel, DeviceAddress, DeviceAddress, Duration)
        async throws(ConnectFailure) -> PacketSocket

    /// What an adapter works with, independent of its controller.
    struct Environment: Sendable {
        let time: Timekeeper
        let readiness: any DescriptorReadiness
        let log: Logger
        /// Whether a controller that is off, or has Low Energy off, is switched on.
        var poweringOn = false
        /// Whether it also listens and connects on LE Coded.
        var coded = false
        /// Runs the work that continues after its task was cancelled; nil for the default executor.
        var executor: (any TaskExecutor)?
        var locks = NamedLocks.unshared()
        var records: ControllerRecords?
        var openHCISocket: HCIOpening = { _ in nil }
        /// Replaces the sockets of the kernel; nil to use those.
        var connecting: Connecting?

        func connect(
            _ kind: LinkChannel, from adapter: DeviceAddress, to peer: DeviceAddress, within limit: Duration
        ) async throws(ConnectFailure) -> PacketSocket {
            if let connecting { return try await connecting(kind, adapter, peer, limit) }
            return try await L2CAPConnection.connect(
                kind, from: adapter, to: peer, within: limit, by: time, readiness: readiness)
        }
    }

    /// The controller's public address, which identifies it; all zero if it has none.
    public let address: DeviceAddress
    let management: ManagementChannel
    let environment: Environment
    let jobs: AsyncStream<@Sendable () async -> Void>.Continuation
    let connecting = FIFOLock()
    let discovering = FIFOLock()
    let presence = Watched(Presence.ready)
    let listeners = ScanListeners()
    let state: Mutex<State>

    struct State: Sendable {
        /// The kernel's number for the controller: 0 for `hci0`. When it is plugged in again, it may get another one.
        var index: UInt16
        /// The number of removals of `index` when the controller's address was read.
        var removals: Int
        /// Whether the controller was unplugged and has not returned: its number may belong to another one now.
        var isAway = false
        /// The controller's settings before we switched it on.
        var settingsBefore: ControllerSettings
        /// The selected PHYs before we selected others; nil if we did not.
        var physBefore: PHYSelection?
        /// Nil if the kernel does not report it, or refuses to select LE Coded.
        var coded: CodedReception?
        var isMoved = false
        var channels: [DeviceAddress: Int] = [:]
        /// Devices to which we had a link; the kernel keeps it up for 2 s after its last socket closes.
        var staleLinks: Set<DeviceAddress> = []
        var linkRequests: [DeviceAddress: LinkRequest] = [:]
        var discovery = DiscoveryState()
        /// The time of connection attempts, during part of which the controller does not scan.
        var connecting = Stopwatch()
        var hci: HCIChannel?
        /// Whether the controller has reported that its links are full since the last attempt to connect began.
        var isFull = false
        /// Ends the present attempt if the controller reports that its links are full.
        var fullSignal: OneShot<Void>?
        /// Held while this process owns the record of the controller's state.
        var recordShare: NamedLocks.Share?
    }

    init(
        index: UInt16, removals: Int = 0, information: ControllerInformation, management: ManagementChannel,
        jobs: AsyncStream<@Sendable () async -> Void>.Continuation, in environment: Environment
    ) {
        address = information.address
        (self.management, self.environment, self.jobs) = (management, environment, jobs)
        state = Mutex(State(index: index, removals: removals, settingsBefore: information.current))
    }

    public var time: Timekeeper { environment.time }
    var log: Logger { environment.log }
    var locks: NamedLocks { environment.locks }
    /// `hci0` and the like, by its current number.
    public var name: String { "hci\(state.withLock { $0.index })" }
    /// The controller's name for locks and records: its address, or `name` if it has no address.
    package var key: String { address.identifiesController ? "\(address)" : name }
    /// The controller's number in commands and events; the number of no controller while it is away.
    var index: UInt16 { state.withLock { $0.isAway ? ManagementCommand.noController : $0.index } }

    /// Carries out `command` on this controller only. If another controller has its number now, this throws the kernel's
    /// refusal for a missing controller. If that other controller has received the command, a discovery that it began is
    /// ended, but changes of its settings stay.
    @discardableResult func perform(_ command: ManagementCommand) async throws(ManagementError) -> ByteReader
    {
        let (index, removals) = state.withLock {
            ($0.isAway ? ManagementCommand.noController : $0.index, $0.isAway ? nil : $0.removals)
        }
        do throws(ManagementError) {
            return try await management.perform(command, on: index, during: removals)
        } catch {
            guard case .strayed = error else { throw error }
            log.warning(
                "hci\(index) is another adapter now, and received a command meant for \(address): \(command.name)"
            )
            if command == .startDiscovery {
                _ = try? await management.perform(
                    .stopDiscovery, on: index, during: management.removals(of: index))
            }
            throw .refused(.invalidIndex, command: command.name)
        }
    }

    /// Known from kernel 4.19 on, with `CAP_NET_ADMIN`.
    public var coded: CodedReception? { state.withLock { $0.coded } }

    /// The kernel reports a device once per discovery, unless its data changes.
    public var passesEveryReport: Bool { false }

    /// Runs `body` to its end even if the task is cancelled: changes have to be undone.
    func uncancelled<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        await Task(executorPreference: environment.executor) { await body() }.value
    }

    public func claim(_ peer: DeviceAddress) throws(AdapterError) -> BeaconClaim { try locks.claim(peer) }

    public func isHeldElsewhere(_ peer: DeviceAddress) async -> Bool {
        guard !isLinked(to: peer), !state.withLock({ $0.staleLinks.contains(peer) }) else { return false }
        return (try? await management.connections(of: index).contains(peer)) ?? false
    }
}

extension NamedLocks {
    /// Keeps other copies of this program away from `peer`, whichever adapter they use.
    func claim(_ peer: DeviceAddress) throws(AdapterError) -> BeaconClaim {
        do throws(NamedLock.Owner) {
            return BeaconClaim(keeping: try share(in: "beacon/\(peer)/\(peer.kind.rawValue)"))
        } catch { throw .inUse(peer, by: "\(error)") }
    }
}

extension KernelAdapter {
    /// Whether a channel of ours to `peer` is open, which means that there is a link.
    func isLinked(to peer: DeviceAddress) -> Bool { state.withLock { $0.channels[peer] != nil } }

    /// Wraps a connected socket as a channel, which is counted until it closes.
    func adopt(_ socket: PacketSocket, _ kind: LinkChannel, to peer: DeviceAddress) -> KernelChannel {
        listeners.forgetInterval(of: peer)
        state.withLock { state in
            state.channels[peer, default: 0] += 1
            state.staleLinks.remove(peer)
        }
        return KernelChannel(to: peer, kind, on: socket, options: ChannelOptions(of: socket)) { [weak self] in
            self?.release(peer)
        }
    }

    /// Notes that a channel to `peer` has closed. A link whose last channel has closed is stale.
    func release(_ peer: DeviceAddress) {
        state.withLock { state in
            guard let count = state.channels[peer], count > 1 else {
                state.channels[peer] = nil
                state.staleLinks.insert(peer)
                return
            }
            state.channels[peer] = count - 1
        }
    }

    /// A link that we have left stays up for 2 s, and a new socket would join its old attribute session, with
    /// the MTU exchanged and notifications on. Ends that link, and waits for the end.
    func endStaleLink(to peer: DeviceAddress, by deadline: Duration) async throws(AdapterError) {
        guard state.withLock({ $0.staleLinks.contains(peer) }) else { return }
        let events = management.events()
        let index = index
        do throws(ManagementError) { try await perform(.disconnect(peer)) } catch {
            switch error {
            case .refused(.notConnected, _), .refused(.disconnected, _): return forget(peer)
            case .cancelled: throw .cancelled
            default: log.debug("the old link to \(peer): \(error)")
            }
        }
        do {
            _ = try await time.within(min(.seconds(3), max(.zero, deadline - time.now))) {
                for await (controller, event) in events where controller == index {
                    if case .deviceDisconnected(peer, _) = event { return }
                    if case .indexRemoved = event { return }
                }
            }
        } catch { throw .cancelled }
        guard !Task.isCancelled else { throw .cancelled }
        forget(peer)
    }

    private func forget(_ peer: DeviceAddress) { state.withLock { _ = $0.staleLinks.remove(peer) } }

    /// Passes the link parameters to the kernel, which has to know them before it connects. Without `CAP_NET_ADMIN` it
    /// uses its defaults.
    func setParameters(_ linkRequest: LinkRequest, for peer: DeviceAddress) async {
        state.withLock { $0.linkRequests[peer] = linkRequest }
        await loadRequests()
    }

    /// Passes the parameters for all peers to the kernel, whose list this replaces.
    func loadRequests() async {
        let linkRequests = state.withLock { $0.linkRequests }
        guard !linkRequests.isEmpty else { return }
        do throws(ManagementError) {
            try await perform(.loadConnectionParameters(linkRequests.map { ($0, LinkSteps($1)) }))
        } catch { log.info("link parameters were not set: \(error)") }
    }

    /// Warns of what a killed run has left. A controller that such a run has left off counts as one that was on.
    func warnOfLeftovers() {
        guard let records = environment.records, let share = try? locks.share(in: recordName) else { return }
        defer { withExtendedLifetime(share) {} }
        let isPowered = state.withLock { $0.settingsBefore.contains(.powered) }
        guard records.warnOfLeftovers(of: key, on: name, isPowered: isPowered, log) else { return }
        state.withLock { _ = $0.settingsBefore.insert(.powered) }
    }

    func keepRecord() {
        guard let records = environment.records, let share = try? locks.share(in: recordName) else { return }
        let record = state.withLock { state in
            state.recordShare = share
            return ControllerRecord(
                settings: state.settingsBefore, phys: state.physBefore, isMoved: state.isMoved)
        }
        records.keep(record, of: key)
    }

    func removeRecord() {
        let share = state.withLock { state in
            defer { state.recordShare = nil }
            return state.recordShare
        }
        if share != nil { environment.records?.remove(key) }
    }

    private var recordName: String { "changed/\(key)" }
}
