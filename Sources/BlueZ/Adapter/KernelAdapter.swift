public import Bluetooth
import Bytes
import Logging
import Synchronization

/// The adapter of the kernel's Bluetooth sockets.
///
/// It scans and sets link parameters through the management channel, and connects over L2CAP; for what the
/// management channel has no command for, it sends commands to the controller itself. It lives in a scope: what
/// was changed on the controller is restored when the scope ends.
public final class KernelAdapter: Adapter {
    /// Opens the raw HCI channel of a controller; nil where that is not permitted.
    typealias HCIOpening = @Sendable (UInt16) -> (any Bearer)?

    /// Makes one attempt to connect a channel, from the adapter's address to a peer's, within a limit.
    typealias Connecting =
        @Sendable (LinkChannel, DeviceAddress, DeviceAddress, Duration)
        async throws(ConnectFailure) -> PacketSocket

    /// The clock of all its deadlines.
    public let time: Timekeeper
    /// Its public address, which identifies it; all zero if it has none.
    public let address: DeviceAddress
    let management: ManagementChannel
    let readiness: any DescriptorReadiness
    let log: Logger
    let jobs: AsyncStream<@Sendable () async -> Void>.Continuation
    let executor: (any TaskExecutor)?
    let poweringOn: Bool
    let openHCISocket: HCIOpening
    let connectSocket: Connecting
    let connecting = FIFOLock()
    let discovering = FIFOLock()
    let locks: NamedLocks
    let records: ControllerRecords?
    let presence = Presence()
    let listeners = ScanListeners()
    let state: Mutex<State>

    /// What is known of the controller and was requested of it.
    struct State: Sendable {
        /// The kernel's number for it: 0 for `hci0`. It changes if the controller returns under another number.
        var index: UInt16
        /// The number of removals under that index when its address was read.
        var removals: Int
        /// It was unplugged and has not returned: its number now belongs to another controller.
        var isAway = false
        /// The controller's settings before we switched it on.
        var before: ControllerSettings
        /// Its PHYs before we selected others.
        var physBefore: PHYSelection?
        /// Whether its address was changed.
        var isMoved = false
        /// The number of our channels to each device.
        var channels: [DeviceAddress: Int] = [:]
        /// Devices to which we had a link; the kernel keeps it up for 2 s after its last socket closes.
        var left: Set<DeviceAddress> = []
        var preferences: [DeviceAddress: LinkRequest] = [:]
        var discovery = DiscoveryState()
        /// Since when a link is being made, during part of which the controller does not scan; and the total of
        /// earlier ones.
        var connectingSince: Duration?
        var connecting = Duration.zero
        var hci: HCIChannel?
        /// Whether the controller has reported that its links are full since the last attempt to connect began.
        var isFull = false
        /// Notifies that attempt.
        var limit: OneShot<Void>?
        /// Held while this process owns the record of the controller's state.
        var recordShare: NamedLocks.Share?
    }

    init(
        index: UInt16, removals: Int = 0, information: ControllerInformation,
        management: ManagementChannel, time: Timekeeper, readiness: any DescriptorReadiness, log: Logger,
        jobs: AsyncStream<@Sendable () async -> Void>.Continuation, poweringOn: Bool = false,
        executor: (any TaskExecutor)? = nil, locks: NamedLocks = .apart(),
        records: ControllerRecords? = nil,
        openHCISocket: @escaping HCIOpening = { _ in nil }, connecting: Connecting? = nil
    ) {
        address = information.address
        self.locks = locks
        self.records = records
        self.management = management
        self.time = time
        self.readiness = readiness
        self.log = log
        self.jobs = jobs
        self.poweringOn = poweringOn
        self.executor = executor
        self.openHCISocket = openHCISocket
        if let connecting {
            connectSocket = connecting
        } else {
            connectSocket = { (kind, adapter, peer, limit) async throws(ConnectFailure) -> PacketSocket in
                try await L2CAPConnection.connect(
                    kind, from: adapter, to: peer, within: limit, by: time, readiness: readiness)
            }
        }
        state = Mutex(State(index: index, removals: removals, before: information.current))
    }

    /// `hci0` and the like, by its current number.
    public var name: String { "hci\(state.withLock { $0.index })" }
    /// Its name for locks and records, independent of its number: its address, or its name if it has none.
    public var key: String { address.tellsControllersApart ? "\(address)" : name }
    /// Its number in commands and events; the number of no controller while it is away.
    var index: UInt16 { state.withLock { $0.isAway ? ManagementCommand.noController : $0.index } }

    /// Carries out `command` on this controller only. If another controller has got its number, this throws the
    /// kernel's refusal for a missing controller. A discovery that the other one has begun is ended; its other
    /// settings stay.
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

    /// The kernel reports a device once per discovery, unless its data changes.
    public var passesEveryReport: Bool { false }

    /// Runs `body` to its end even if the task is cancelled: changes have to be undone.
    func uncancelled(_ body: @escaping @Sendable () async -> Void) async {
        await Task(executorPreference: executor) { await body() }.value
    }
}
