public import BluetoothTypes
import ByteCoding
import GATT
import Logging
import PacketSockets
public import Radio
import Synchronization
public import Timing

/// The adapter of the kernel's Bluetooth sockets.
///
/// It scans and sets link parameters through the management channel, and connects over L2CAP; what that channel has no
/// command for it asks the controller itself. It lives in a scope: what was changed on the controller is restored when
/// the scope ends.
public final class KernelAdapter: Adapter {
    /// Opens the raw HCI channel of a controller; nil where that is not permitted.
    typealias HCIOpening = @Sendable (UInt16) -> (any Bearer)?

    /// Makes one attempt to connect a channel, from the adapter's address to a peer's, within a limit.
    typealias Connecting =
        @Sendable (LinkChannel, DeviceAddress, DeviceAddress, Duration)
        async throws(ConnectFailure) -> PacketSocket

    /// The time of everything on it.
    public let time: Timekeeper
    /// Its public address, by which it is known; all zero where it has none.
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

    /// What is known of the controller and was asked of it.
    struct State: Sendable {
        /// The kernel's number for it: 0 for `hci0`. Another one where it has come back under another.
        var index: UInt16
        /// How many with that number had been removed when its address was read.
        var removals: Int
        /// It was pulled out, and has not come back: who has its number now is another one.
        var isAway = false
        /// What the controller was before we switched it on.
        var before: ControllerSettings
        /// Its PHYs before we chose others.
        var physBefore: PHYSelection?
        /// Whether it has another address than before.
        var isMoved = false
        /// How many channels of ours there are to each device.
        var channels: [DeviceAddress: Int] = [:]
        /// Devices to which we had a link; the kernel keeps it for 2 s after its last socket closes.
        var left: Set<DeviceAddress> = []
        var preferences: [DeviceAddress: LinkRequest] = [:]
        var discovery = DiscoveryState()
        /// Since when a link is being made, for some of which time the controller does not scan; and how long were made before.
        var connectingSince: Duration?
        var connecting = Duration.zero
        var hci: HCIChannel?
        /// The controller has said that it holds as many links as it can, since the last attempt to connect began.
        var isFull = false
        /// Tells that attempt of it.
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

    /// `hci0` and the like, by its latest number.
    public var name: String { "hci\(state.withLock { $0.index })" }
    /// What locks and records call it, whatever its number is: its address, or its name where it has none.
    public var key: String { address.tellsControllersApart ? "\(address)" : name }
    /// Its number in commands and events; that of no controller while it is away.
    var index: UInt16 { state.withLock { $0.isAway ? ManagementCommand.noController : $0.index } }

    /// Carries out `command` on this controller, and on no other that gets its number: where that is so, the kernel's refusal for
    /// want of a controller is thrown. A discovery that the other one has begun is ended; other settings of it stay.
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
                "hci\(index) is another adapter now, and has got a command that was meant for \(address): \(command.name)"
            )
            if command == .startDiscovery {
                _ = try? await management.perform(
                    .stopDiscovery, on: index, during: management.removals(of: index))
            }
            throw .refused(.invalidIndex, command: command.name)
        }
    }

    /// The kernel passes on one report of a device per discovery, unless its data changes.
    public var passesEveryReport: Bool { false }

    /// Runs `body` to its end also when the task is cancelled: what was changed has to be changed back.
    func uncancelled(_ body: @escaping @Sendable () async -> Void) async {
        await Task(executorPreference: executor) { await body() }.value
    }
}
