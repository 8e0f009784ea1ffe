public import Bluetooth
import CBluez
import Glibc
public import Logging

extension UserChannelAdapter {
    struct Environment: Sendable {
        let time: Timekeeper
        let log: Logger
        /// Runs the work that continues after its task was cancelled; nil for the default executor.
        var executor: (any TaskExecutor)?
        var locks = NamedLocks.unshared()
        var records: ControllerRecords?
        let openSocket: @Sendable (UInt16) throws(SocketError) -> any Bearer
    }

    /// How long a controller may take to be prepared.
    private static let startLimit = Duration.seconds(10)
    /// How long the end of all links and the reset after it may take.
    private static let endLimit = Duration.seconds(2)

    /// Runs `body` with the adapter `name`, which nothing else can use meanwhile.
    ///
    /// The kernel's host switches it off for that, which is refused while it has links or another program scans. At
    /// the end it is switched on again if it was on before.
    public static func withAdapter<Value: Sendable>(
        _ name: ControllerName, on loop: EventLoop,
        log: Logger = Logger(label: "beacon-dfu") { _ in SwiftLogNoOpLogHandler() },
        _ body: (UserChannelAdapter) async throws -> Value
    ) async throws -> Value {
        let environment = Environment(
            time: loop.clock, log: log, executor: loop, locks: .machine, records: .ours,
            openSocket: { (index) throws(SocketError) in
                try BluetoothPrivileges.raised(.networkAdministration) { () throws(SocketError) in
                    try PacketSocket.userChannel(of: index, readiness: loop)
                }
            })
        return try await withAdapter(
            name, over: try KernelAdapter.managementSocket(on: loop), in: environment, body)
    }

    /// Like the public function, with an open management socket.
    static func withAdapter<Value: Sendable>(
        _ name: ControllerName, over socket: any Bearer, in environment: Environment,
        _ body: (UserChannelAdapter) async throws -> Value
    ) async throws -> Value {
        try await ManagementChannel.running(
            over: socket, time: environment.time, executor: environment.executor
        ) { management in
            let (index, _, information) = try await KernelAdapter.choose(
                name, management, environment.log, environment.locks)
            let controller = ExclusiveController(
                index: index, information: information, management: management, environment: environment)
            let shares = try controller.lock()
            defer { withExtendedLifetime(shares) {} }
            let result: Result<Value, any Error>
            do {
                controller.warnOfLeftovers()
                try await controller.switchOff()
                result = .success(try await run(controller, body))
            } catch { result = .failure(error) }
            await Task(executorPreference: environment.executor) { await controller.restore() }.value
            return try result.get()
        }
    }

    /// Runs `body` with the adapter over the controller's user channel, which is closed when this returns.
    private static func run<Value: Sendable>(
        _ controller: ExclusiveController, _ body: (UserChannelAdapter) async throws -> Value
    ) async throws -> Value {
        let environment = controller.environment
        let bearer = try controller.open()
        let (packets, outgoing) = AsyncStream.makeStream(of: [UInt8].self)
        let adapter = UserChannelAdapter(
            controller.name, key: controller.key, address: controller.information.address,
            fallbackAddress: DeviceAddress.anyStatic, in: environment, sending: outgoing)
        // Not children of this task: they work until the controller is reset, even after a cancellation.
        let sender = Task(executorPreference: environment.executor) {
            for await packet in packets {
                do throws(BearerError) { try await bearer.send(packet) } catch { return adapter.lose(error) }
            }
        }
        let receiver = Task(executorPreference: environment.executor) {
            do throws(BearerError) {
                while let packet = try await bearer.receive() { adapter.receive(packet) }
                adapter.lose(.closed)
            } catch { adapter.lose(error) }
        }
        let result: Result<Value, any Error>
        do {
            try await adapter.begin()
            result = .success(try await body(adapter))
        } catch { result = .failure(error) }
        await Task(executorPreference: environment.executor) {
            adapter.change { $0.host.end(at: $1) }
            _ = try? await environment.time.within(Self.endLimit) { await adapter.ended.value() }
            adapter.finish()
            bearer.close()
            // Closing a socket of the kernel's Bluetooth does not wake the task that waits on it; cancelling does.
            sender.cancel()
            receiver.cancel()
            await sender.value
            await receiver.value
        }.value
        return try result.get()
    }

    private func begin() async throws(AdapterError) {
        change { $0.host.start(at: $1) }
        let isReady: Void??
        do { isReady = try await time.within(Self.startLimit) { [ready] in await ready.value() } } catch {
            throw .cancelled
        }
        guard !Task.isCancelled else { throw .cancelled }
        if let failure { throw .unavailable(failure) }
        guard isReady != nil else { throw .unavailable("\(name) cannot be used: it does not become ready") }
    }

    private func lose(_ error: BearerError) {
        let reason =
            switch error {
            case .cancelled: "\(name) is not used any more"
            case .closed: "\(name) was removed"
            case .system(let call, let errno):
                "\(name) cannot be used: \(SocketError(call: call, errno: errno).words)"
            }
        change { $0.host.fail(reason, at: $1) }
    }
}

/// A controller that is taken from the kernel's host, and given back.
private struct ExclusiveController: Sendable {
    /// How long the kernel may take to have the controller back.
    private static let returnLimit = Duration.seconds(5)

    let index: UInt16
    let information: ControllerInformation
    let management: ManagementChannel
    let environment: UserChannelAdapter.Environment

    var name: String { "hci\(index)" }
    var key: String { information.address.identifiesController ? "\(information.address)" : name }
    private var isPowered: Bool { information.current.contains(.powered) }

    /// Keeps other copies of this program away from the controller. Throws if one has changed it, connects with it or
    /// uses it exclusively.
    func lock() throws(AdapterError) -> [NamedLocks.Share] {
        let names = ["changed/\(key)", "connecting/\(key)", "exclusive/\(name)", "exclusive/\(key)"]
        var shares: [NamedLocks.Share] = []
        for one in names {
            do throws(NamedLock.Owner) { shares.append(try environment.locks.share(in: one)) } catch {
                throw .unavailable("\(name) cannot be used exclusively: \(error) uses it")
            }
        }
        return shares
    }

    /// Warns of what a killed run has left, since that run's record will be replaced.
    func warnOfLeftovers() {
        _ = environment.records?.warnOfLeftovers(of: key, on: name, isPowered: isPowered, environment.log)
    }

    /// Switches the controller off: only then does the kernel give its user channel.
    func switchOff() async throws {
        guard isPowered else { return }
        do { try await switchOffUnlessUsed() } catch let error as ManagementError {
            guard case .refused(.permissionDenied, _) = error else { throw error }
            throw AdapterError.notPermitted(capability: "CAP_NET_ADMIN", to: "use \(name) exclusively")
        }
    }

    private func switchOffUnlessUsed() async throws {
        let linked = try await management.connections(of: index)
        guard linked.isEmpty else {
            let peers = linked.map { "\($0)" }.sorted().joined(separator: ", ")
            throw AdapterError.unavailable("\(name) cannot be used exclusively: it has links to \(peers)")
        }
        if information.current.contains(.lowEnergy) { try await requireNoScan() }
        environment.records?.keep(ControllerRecord(settings: information.current, isExclusive: true), of: key)
        try await management.perform(.setPowered(false), on: index)
    }

    /// Throws if another program scans. The kernel does not report that, but it begins our scan only if there is no other.
    private func requireNoScan() async throws {
        do throws(ManagementError) { try await management.perform(.startDiscovery, on: index) } catch {
            guard case .refused(let status, _) = error else { throw error }
            // Other refusals say nothing about a scan; switching off may be refused for the same reason.
            guard status == .busy else { return }
            throw AdapterError.unavailable(
                "\(name) cannot be used exclusively: another program is scanning with it")
        }
        _ = try? await management.perform(.stopDiscovery, on: index)
    }

    func open() throws(AdapterError) -> any Bearer {
        do throws(SocketError) { return try environment.openSocket(index) } catch {
            switch error.errno {
            case EPERM: throw .notPermitted(capability: "CAP_NET_ADMIN", to: "use \(name) exclusively")
            case EBUSY, EUSERS:
                throw .unavailable("\(name) cannot be used exclusively: another program uses it")
            case ERFKILL: throw .unavailable("\(name) is blocked by a radio switch (rfkill)")
            default: throw .unavailable("\(name) cannot be used exclusively: \(error.words)")
            }
        }
    }

    /// Switches the controller on again, once the kernel has it back; also if a killed run has left it off.
    func restore() async {
        let record = environment.records?.record(of: key)
        guard isPowered || record?.isExclusive == true else { return }
        let events = management.events()
        if (try? await management.controllers().contains(index)) != true {
            _ = try? await environment.time.within(Self.returnLimit) {
                for await (index, event) in events where index == self.index && event == .indexAdded {
                    return
                }
            }
        }
        // The controller may have been unplugged, and its number given to another one; then its record stays.
        let now = try? await management.information(of: index)
        guard let now, now.address == information.address else { return }
        guard !now.current.contains(.powered) else {
            environment.records?.remove(key)
            return
        }
        do throws(ManagementError) {
            try await management.perform(.setPowered(true), on: index)
            environment.records?.remove(key)
        } catch { environment.log.warning("\(name) is left switched off: \(error)") }
    }
}

extension PacketSocket {
    /// A socket on the user channel of controller `index`; there is one at a time (kernel `hci_sock_bind`).
    ///
    /// It needs `CAP_NET_ADMIN` and a controller that is off; other programs do not see the controller until the socket
    /// is closed.
    fileprivate static func userChannel(
        of index: UInt16, readiness: any DescriptorReadiness
    ) throws(SocketError) -> PacketSocket {
        try PacketSocket(adopting: try descriptor(on: HCI_CHANNEL_USER, of: index), readiness: readiness)
    }
}

extension DeviceAddress {
    /// A random static address: the two highest bits are set, the others random (Vol 6, Part B, 1.3.2.1).
    fileprivate static var anyStatic: DeviceAddress? {
        let bytes = (0..<6).map { UInt8.random(in: 0...255) | ($0 == 0 ? 0xC0 : 0) }
        return DeviceAddress(bytes, .random)
    }
}
