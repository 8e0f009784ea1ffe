public import BluetoothTypes
import GATT
import Logging
import PacketSockets
public import Radio
import Synchronization
public import Timing

/// The adapter of the kernel's Bluetooth sockets.
///
/// It scans through the management channel, asks there for the link parameters it wants, and connects over
/// L2CAP; what that channel has no verb for it asks of the controller itself. It lives in a scope: what was
/// changed on the controller is restored when the scope ends.
public final class KernelAdapter: Adapter {
    /// Opens the raw HCI channel of a controller; nil where that is not permitted.
    typealias HCIOpening = @Sendable (UInt16) -> (any Bearer)?

    /// The time of everything on it.
    public let time: Timekeeper
    /// Its number: 0 for `hci0`.
    let index: UInt16
    let management: ManagementChannel
    let readiness: any DescriptorReadiness
    let log: Logger
    let jobs: AsyncStream<@Sendable () async -> Void>.Continuation
    let executor: (any TaskExecutor)?
    let poweringOn: Bool
    let openHCISocket: HCIOpening
    let connecting = Turns()
    let presence = Presence()
    let state: Mutex<State>

    /// What we know of the controller and have asked of it.
    struct State: Sendable {
        var address: DeviceAddress
        /// What the controller was before we switched it on.
        var before: ControllerSettings
        /// Its PHYs before we chose others.
        var physBefore: PHYSelection?
        /// How many channels of ours there are to each device.
        var channels: [DeviceAddress: Int] = [:]
        /// Devices to which we had a link; the kernel keeps it for 2 s after its last socket closes.
        var left: Set<DeviceAddress> = []
        var wishes: [DeviceAddress: LinkWish] = [:]
        /// Discoveries of ours that run.
        var discoveries = 0
        /// Another program's discovery runs.
        var isForeignDiscovery = false
        var hci: HCIChannel?
    }

    init(
        index: UInt16, information: ControllerInformation, management: ManagementChannel, time: Timekeeper,
        readiness: any DescriptorReadiness, log: Logger,
        jobs: AsyncStream<@Sendable () async -> Void>.Continuation, poweringOn: Bool = false,
        executor: (any TaskExecutor)? = nil, openHCISocket: @escaping HCIOpening = { _ in nil }
    ) {
        self.index = index
        self.management = management
        self.time = time
        self.readiness = readiness
        self.log = log
        self.jobs = jobs
        self.poweringOn = poweringOn
        self.executor = executor
        self.openHCISocket = openHCISocket
        state = Mutex(State(address: information.address, before: information.current))
    }

    /// `hci0` and the like.
    public var name: String { "hci\(index)" }
    /// The kernel passes on one report of a device in each discovery, unless it says something else.
    public var passesEveryReport: Bool { false }

    /// A channel to `peer`. A new link is as `wish` has it where the controller and the kernel let us; one
    /// that stands already stays as it is.
    public func open(
        _ channel: LinkChannel, to peer: DeviceAddress, asking wish: LinkWish, within limit: Duration
    ) async throws(AdapterError) -> KernelChannel {
        // A controller makes one connection attempt at a time; some kernels answer a second one with EBUSY.
        do { try await connecting.take() } catch { throw .cancelled }
        defer { connecting.pass() }
        let deadline = time.now + limit
        try await awaitReadiness(by: deadline)
        var hasAsked = false
        var pause = Duration.milliseconds(200)
        while true {
            guard !Task.isCancelled else { throw .cancelled }
            // Looked at anew for each attempt: the channel that was in the way may have left its link stale.
            let isNew = !isLinked(to: peer)
            if isNew { try await endStaleLink(to: peer, by: deadline) }
            if isNew, !hasAsked {
                hasAsked = true
                await ask(wish, for: peer)
                warnOfForeignDiscovery(peer)
            }
            do throws(ConnectFailure) {
                let socket = try await L2CAPConnection.connect(
                    channel, from: state.withLock { $0.address }, to: peer,
                    within: max(.zero, min(Self.attemptLimit, deadline - time.now)), by: time,
                    readiness: readiness)
                // Every channel has left that link since we looked: it is stale by now.
                if !isNew, !isLinked(to: peer) {
                    socket.close()
                    continue
                }
                let open = adopt(socket, channel, to: peer)
                if isNew { tune(open, as: wish) } else { open.tuned.settle(()) }
                return open
            } catch {
                // The link may have come about a moment too late.
                if error == .timedOut || error == .cancelled, isNew {
                    state.withLock { _ = $0.left.insert(peer) }
                }
                guard error.deservesRetry || error == .timedOut, !isRefusal(error, of: channel, by: peer),
                    time.now + pause < deadline
                else { throw adapterError(error, channel, peer) }
                log.debug("connecting to \(peer): \(error), trying again")
            }
            do { try await time.sleep(for: pause) } catch { throw .cancelled }
            pause = min(pause * 2, .seconds(2))
            try await awaitReadiness(by: deadline)
        }
    }

    /// How long one attempt may take: a connection that the kernel is still giving up, because somebody has
    /// just cancelled it, may keep a new one waiting for ever.
    private static var attemptLimit: Duration { .seconds(4) }

    /// Whether `failure` is the peer's no to this very channel, on a link that stands.
    private func isRefusal(
        _ failure: ConnectFailure, of channel: LinkChannel, by peer: DeviceAddress
    ) -> Bool {
        failure == .refused && channel != .attributes && isLinked(to: peer)
    }

    private func adapterError(
        _ failure: ConnectFailure, _ channel: LinkChannel, _ peer: DeviceAddress
    ) -> AdapterError {
        switch failure {
        case .refused where isRefusal(failure, of: channel, by: peer):
            .unavailable("\(peer) does not take this channel: \(channel)")
        case .timedOut, .refused: .noAnswer(peer)
        case .cancelled: .cancelled
        case .busy:
            .unavailable(
                "\(peer) is held by another program on this machine, usually bluetoothd, or \(name) is busy "
                    + "with another program's scan")
        case .adapterDown: .unavailable("\(name) is off or gone")
        case .system(let call, let errno): .system(call: call, errno: errno)
        }
    }

    /// While a discovery runs, the kernel connects on the next advertisement that the controller reports, and
    /// a controller that filters duplicates reports a beacon once a discovery.
    private func warnOfForeignDiscovery(_ peer: DeviceAddress) {
        guard state.withLock({ $0.isForeignDiscovery }) else { return }
        log.warning(
            "another program is scanning with \(name); connecting to \(peer) may have to wait for its end")
    }

    /// Runs `body` to its end also when the task is cancelled: what was changed has to be changed back.
    func uncancelled(_ body: @escaping @Sendable () async -> Void) async {
        await Task(executorPreference: executor) { await body() }.value
    }
}
