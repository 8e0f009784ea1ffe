public import BluetoothTypes
import GATT
import Logging
public import PacketSockets
public import Radio
import Synchronization
public import Timing

/// The adapter of the kernel's Bluetooth sockets.
///
/// It scans through the management channel, asks there for the link parameters it wants, and connects over
/// L2CAP. It lives in a scope: what was changed on the controller is restored when the scope ends.
public final class KernelAdapter: Adapter {
    /// The time of everything on it.
    public let time: Timekeeper
    /// Its number: 0 for `hci0`.
    let index: UInt16
    let management: ManagementChannel
    let readiness: any DescriptorReadiness
    let log: Logger
    let jobs: AsyncStream<@Sendable () async -> Void>.Continuation
    let executor: (any TaskExecutor)?
    let connecting = Turns()
    let state: Mutex<State>

    /// What we know of the controller and have asked of it.
    struct State: Sendable {
        var address: DeviceAddress
        var isGone = false
        /// Devices to which we have had a link; the kernel keeps it for 2 s after the last socket closes.
        var linked: Set<DeviceAddress> = []
        var wishes: [DeviceAddress: LinkWish] = [:]
    }

    init(
        index: UInt16, address: DeviceAddress, management: ManagementChannel, time: Timekeeper,
        readiness: any DescriptorReadiness, log: Logger,
        jobs: AsyncStream<@Sendable () async -> Void>.Continuation, executor: (any TaskExecutor)? = nil
    ) {
        self.index = index
        self.management = management
        self.time = time
        self.readiness = readiness
        self.log = log
        self.jobs = jobs
        self.executor = executor
        state = Mutex(State(address: address))
    }

    /// `hci0` and the like.
    public var name: String { "hci\(index)" }
    /// The kernel passes on one report of a device in each discovery, unless it says something else.
    public var passesEveryReport: Bool { false }

    /// A link to `peer`, as `wish` has it where the controller and the kernel let us.
    public func open(
        _ channel: LinkChannel, to peer: DeviceAddress, asking wish: LinkWish, within limit: Duration
    ) async throws(AdapterError) -> PacketSocket {
        guard channel == .attributes else { throw .unavailable("no credit-based channels yet") }
        // A controller makes one connection attempt at a time; some kernels answer a second one with EBUSY.
        do { try await connecting.take() } catch { throw .cancelled }
        defer { connecting.pass() }
        let deadline = time.now + limit
        try await endStaleLink(to: peer, by: deadline)
        await ask(wish, for: peer)
        var pause = Duration.milliseconds(200)
        while true {
            guard !Task.isCancelled else { throw .cancelled }
            try checkPresence()
            do throws(ConnectFailure) {
                let socket = try await AttributeChannel.connect(
                    from: state.withLock { $0.address }, to: peer, within: max(.zero, deadline - time.now),
                    by: time, readiness: readiness)
                state.withLock { _ = $0.linked.insert(peer) }
                return socket
            } catch {
                guard error.deservesRetry, time.now + pause < deadline else {
                    throw adapterError(error, peer)
                }
                log.debug("connecting to \(peer): \(error), trying again")
            }
            do { try await time.sleep(for: pause) } catch { throw .cancelled }
            pause = min(pause * 2, .seconds(2))
        }
    }

    /// What the kernel tells of a link.
    public func parameters(of channel: PacketSocket) async -> LinkParameters { LinkParameters() }

    /// Encrypts the link.
    public func encrypt(_ channel: PacketSocket, within limit: Duration) async throws(AdapterError) {
        throw .notEncrypted(nil, reason: "pairing is not there yet")
    }

    private func adapterError(_ failure: ConnectFailure, _ peer: DeviceAddress) -> AdapterError {
        switch failure {
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

    /// Runs `body` to its end also when the task is cancelled: what was changed has to be changed back.
    func uncancelled(_ body: @escaping @Sendable () async -> Void) async {
        await Task(executorPreference: executor) { await body() }.value
    }

    func checkPresence() throws(AdapterError) {
        if state.withLock({ $0.isGone }) { throw .unavailable("\(name) was removed") }
    }

    /// A link that we have left stays up for 2 s, and a new socket would join its old attribute session: the
    /// MTU exchanged, notifications on. End it, and wait for its end.
    private func endStaleLink(to peer: DeviceAddress, by deadline: Duration) async throws(AdapterError) {
        guard state.withLock({ $0.linked.remove(peer) }) != nil else { return }
        let events = management.events()
        do throws(ManagementError) { try await management.perform(.disconnect(peer), on: index) } catch {
            switch error {
            case .refused(.notConnected, _): return
            case .cancelled: throw .cancelled
            default: log.debug("the old link to \(peer): \(error)")
            }
        }
        let index = index
        do {
            _ = try await time.within(min(.seconds(3), max(.zero, deadline - time.now))) {
                for await (controller, event) in events where controller == index {
                    if case .deviceDisconnected(peer, _) = event { return }
                    if case .indexRemoved = event { return }
                }
            }
        } catch { throw .cancelled }
    }

    /// Interval and supervision timeout have to be known to the kernel before it connects. Without
    /// `CAP_NET_ADMIN` its defaults have to do.
    private func ask(_ wish: LinkWish, for peer: DeviceAddress) async {
        let wishes = state.withLock { state in
            state.wishes[peer] = wish
            return state.wishes
        }
        let list = wishes.map { address, wish in
            ConnectionParameters(
                address: address, interval: wish.interval, supervisionTimeout: wish.supervisionTimeout)
        }
        do throws(ManagementError) {
            try await management.perform(.loadConnectionParameters(list), on: index)
        } catch { log.info("link parameters for \(peer) were not taken: \(error)") }
    }
}
