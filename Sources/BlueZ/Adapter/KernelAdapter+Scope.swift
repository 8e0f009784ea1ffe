public import Bluetooth
import Bytes
import Glibc
public import Logging
import Synchronization

extension KernelAdapter {
    /// Runs `body` with the adapter `name`, or with the first powered one when `name` is nil.
    ///
    /// From then on the adapter is identified by its address: if it is unplugged and returns under another
    /// number it is used there, and another adapter that gets its number is not used. With `poweringOn`, a
    /// controller that is off or has Low Energy off is switched on for the scope. With `coded` it also listens and
    /// connects on LE Coded, if it can.
    public static func withAdapter<Value: Sendable>(
        _ name: ControllerName? = nil, poweringOn: Bool = false, coded: Bool = false, on loop: EventLoop,
        log: Logger = Logger(label: "beacon-dfu") { _ in SwiftLogNoOpLogHandler() },
        _ body: (KernelAdapter) async throws -> Value
    ) async throws -> Value {
        let socket = try managementSocket(on: loop)
        let environment = Environment(
            time: loop.clock, readiness: loop, log: log, poweringOn: poweringOn, coded: coded,
            executor: loop, locks: .machine, records: .ours,
            openHCISocket: { index in
                do throws(SocketError) {
                    return PrivilegedBearer(
                        base: try BluetoothPrivileges.raised { () throws(SocketError) in
                            try PacketSocket.hci(index, readiness: loop)
                        })
                } catch {
                    log.debug("no HCI channel of hci\(index): \(error.call) failed with error \(error.errno)")
                    return nil
                }
            })
        return try await withAdapter(name, over: socket, in: environment, body)
    }

    static func managementSocket(on loop: EventLoop) throws(AdapterError) -> any Bearer {
        do throws(SocketError) { return try PacketSocket.management(readiness: loop) } catch {
            guard error.errno != EAFNOSUPPORT, error.errno != EPROTONOSUPPORT else { throw .noBluetooth }
            throw .unavailable("the kernel's Bluetooth cannot be used: \(error.words)")
        }
    }

    /// Like the public function, with an open management socket.
    static func withAdapter<Value: Sendable>(
        _ name: ControllerName?, over socket: any Bearer, in environment: Environment,
        _ body: (KernelAdapter) async throws -> Value
    ) async throws -> Value {
        try await ManagementChannel.running(
            over: socket, time: environment.time, executor: environment.executor
        ) { management in
            // The events begin before the controller is chosen, since it may be removed a moment later.
            let news = management.events()
            let (index, removals, information) = try await choose(
                name, management, environment.log, environment.locks)
            let (work, jobs) = AsyncStream.makeStream(of: (@Sendable () async -> Void).self)
            let adapter = KernelAdapter(
                index: index, removals: removals, information: information, management: management,
                jobs: jobs, in: environment)
            adapter.warnOfLeftovers()
            try await adapter.prepare(information)
            await adapter.openHCI()
            async let air: Void = withDiscardingTaskGroup { group in
                group.addTask { await adapter.watch(news) }
                for await job in work { group.addTask { await job() } }
                group.cancelAll()
            }
            let result: Result<Value, any Error>
            do { result = .success(try await body(adapter)) } catch { result = .failure(error) }
            jobs.finish()
            await air
            await adapter.restore()
            return try result.get()
        }
    }

    static func choose(
        _ name: ControllerName?, _ management: ManagementChannel, _ log: Logger, _ locks: NamedLocks
    ) async throws -> (UInt16, Int, ControllerInformation) {
        var found: [(UInt16, Int, ControllerInformation)] = []
        for index in try await management.controllers() {
            let removals = management.removals(of: index)
            do throws(ManagementError) {
                found.append((index, removals, try await management.information(of: index)))
            } catch {
                // The controller may just have been unplugged, which only matters if it is the chosen one.
                if error == .cancelled || error == .closed { throw error }
                guard name != .number(index) else {
                    throw AdapterError.unavailable("hci\(index) cannot be used: \(error)")
                }
                log.info("hci\(index) cannot be used: \(error)")
            }
        }
        if let name {
            do throws(AdapterError) { return try named(name, among: found) } catch {
                try requireNotExclusive("\(name)", locks)
                throw error
            }
        }
        guard let first = found.first(where: { $0.2.current.contains(.powered) }) ?? found.first else {
            for number in 0..<mostNumbers { try requireNotExclusive("hci\(number)", locks) }
            throw AdapterError.unavailable("this machine has no Bluetooth adapter")
        }
        return first
    }

    /// How many numbers are tried to find an adapter that the kernel does not list.
    private static let mostNumbers: UInt16 = 16

    /// Throws if the adapter `name` is used exclusively: the kernel does not list it then.
    private static func requireNotExclusive(_ name: String, _ locks: NamedLocks) throws(AdapterError) {
        do throws(NamedLock.Owner) { _ = try locks.share(in: "exclusive/\(name)") } catch {
            throw .unavailable(
                "\(name) is used exclusively by \(error): wait until it has ended, or use another adapter")
        }
    }

    private static func named(
        _ name: ControllerName, among found: [(UInt16, Int, ControllerInformation)]
    ) throws(AdapterError) -> (UInt16, Int, ControllerInformation) {
        let matches = found.filter { name.matches($0.0, $0.2.address) }
        guard let match = matches.first else {
            let names = found.map { "hci\($0.0) (\($0.2.address))" }.joined(separator: ", ")
            throw .unavailable("no adapter \(name); present: \(found.isEmpty ? "none" : names)")
        }
        guard matches.count == 1 else {
            let names = matches.map { "hci\($0.0)" }.joined(separator: " and ")
            throw .unavailable("\(names) have the same address \(name); choose one by its number")
        }
        return match
    }

    private static let needed: ControllerSettings = [.powered, .lowEnergy]

    /// Switches on what is off, if requested, and selects PHYs.
    private func prepare(_ information: ControllerInformation) async throws(AdapterError) {
        let missing = Self.needed.subtracting(information.current)
        if !missing.isEmpty {
            guard environment.poweringOn else {
                let what = missing.contains(.powered) ? "off" : "on without Low Energy"
                throw .unavailable("\(name) is \(what)")
            }
            // If a killed run has left the controller off, that run's record is valid until the controller is on.
            let wasLeftOff = missing.contains(.powered) && state.withLock { $0.before.contains(.powered) }
            if !wasLeftOff { keepRecord() }
            do throws(ManagementError) { try await switchOn(information) } catch {
                await restore()
                switch error {
                case .refused(.permissionDenied, _):
                    throw .notPermitted(capability: "CAP_NET_ADMIN", to: "switch \(name) on")
                case .cancelled: throw .cancelled
                default: throw .unavailable("\(name) could not be switched on: \(error)")
                }
            }
            if wasLeftOff {
                keepRecord()
                if state.withLock({ $0.before.isSuperset(of: Self.needed) }) { removeRecord() }
            }
        }
        await choosePHYs(information)
    }

    func switchOn(_ information: ControllerInformation) async throws(ManagementError) {
        let missing = Self.needed.subtracting(information.current)
        if missing.contains(.lowEnergy) { try await perform(.setLowEnergy(true)) }
        if missing.contains(.powered) { try await perform(.setPowered(true)) }
    }

    /// Allows LE 2M if the controller supports it; older kernels' default is LE 1M alone.
    ///
    /// With LE Coded selected, the kernel scans and connects on LE 1M and LE Coded in turns
    /// (`hci_le_set_ext_scan_param_sync` and `hci_le_ext_create_conn_sync` in `net/bluetooth/hci_sync.c`). It is
    /// selected only on request: some controllers claim it and fail (`HCI_QUIRK_BROKEN_LE_CODED`, unknown to Debian's
    /// 6.1).
    func choosePHYs(_ information: ControllerInformation) async {
        guard information.supported.contains(.phyConfiguration) else { return }
        do throws(ManagementError) {
            let configuration = try await management.phys(of: index)
            if environment.coded, configuration.supported.isDisjoint(with: .coded) {
                log.warning("\(name) has no LE Coded: beacons on it are not heard")
            }
            state.withLock { $0.coded = configuration.coded(isWanted: environment.coded) }
            let wanted = configuration.withFast(coded: environment.coded)
            guard wanted != configuration.selected else { return }
            state.withLock { $0.physBefore = configuration.selected }
            keepRecord()
            try await perform(.setPHY(wanted))
            if !wanted.isDisjoint(with: .coded) { state.withLock { $0.coded = .selected } }
        } catch { log.debug("PHYs were not selected: \(error)") }
    }

    /// Restores what `prepare` has changed and ends links without an open channel of ours, even after a cancellation:
    /// the next connection, of any program, would join our attribute sessions.
    private func restore() async {
        guard presence.value != .removed else { return }
        let (before, phys, left, preferences) = state.withLock {
            ($0.before, $0.physBefore, $0.left, $0.preferences)
        }
        let changed = Self.needed.subtracting(before)
        guard !changed.isEmpty || phys != nil || !left.isEmpty || !preferences.isEmpty else { return }
        await uncancelled { [self] in
            for peer in left { _ = try? await perform(.disconnect(peer)) }
            // The kernel does not reveal the previous list; without entries it uses its own defaults.
            if !preferences.isEmpty { _ = try? await perform(.loadConnectionParameters([])) }
            if let phys { _ = try? await perform(.setPHY(phys)) }
            if changed.contains(.powered) { _ = try? await perform(.setPowered(false)) }
            if changed.contains(.lowEnergy) { _ = try? await perform(.setLowEnergy(false)) }
        }
        removeRecord()
    }
}

extension ManagementChannel {
    static func running<Value: Sendable>(
        over socket: any Bearer, time: Timekeeper, executor: (any TaskExecutor)?,
        _ body: (ManagementChannel) async throws -> Value
    ) async throws -> Value {
        let management = ManagementChannel(bearer: socket, time: time)
        // Not a child of this task: the channel has to work until all is restored, even after a cancellation.
        let pump = Task(executorPreference: executor) { await management.run() }
        let result: Result<Value, any Error>
        do { result = .success(try await body(management)) } catch { result = .failure(error) }
        management.close()
        // A management socket cannot be shut down, and closing it does not wake the task that waits on it;
        // cancelling does.
        pump.cancel()
        await pump.value
        return try result.get()
    }

    func controllers() async throws(ManagementError) -> [UInt16] {
        try await ask(.readIndexList, of: ManagementCommand.noController) { (reader) throws(ByteError) in
            let count: UInt16 = try reader.integer("controllers")
            var list: [UInt16] = []
            for _ in 0..<count { list.append(try reader.integer("controller index")) }
            return list
        }
    }

    func information(of index: UInt16) async throws(ManagementError) -> ControllerInformation {
        try await ask(.readInformation, of: index, ControllerInformation.init(parsing:))
    }

    /// Whether the controller has extended advertising: the kernel offers secondary PHYs for advertising then.
    func hasExtended(_ index: UInt16) async throws(ManagementError) -> Bool {
        try await ask(.readAdvertisingFeatures, of: index) { (reader) throws(ByteError) in
            try reader.integer("supported flags", as: UInt32.self) & 0x80 != 0
        }
    }

    func phys(of index: UInt16) async throws(ManagementError) -> PHYConfiguration {
        try await ask(.getPHY, of: index, PHYConfiguration.init(parsing:))
    }

    func ask<Answer>(
        _ command: ManagementCommand, of index: UInt16,
        _ parse: (inout ByteReader) throws(ByteError) -> Answer
    ) async throws(ManagementError) -> Answer {
        var reader = try await perform(command, on: index)
        do throws(ByteError) { return try parse(&reader) } catch { throw .malformed(command: command.name) }
    }
}

/// Identifies one of the kernel's Bluetooth controllers.
public enum ControllerName: Hashable, Sendable, CustomStringConvertible {
    /// The kernel's number for the controller: 0 for `hci0`. When it is plugged in again, it may get another one.
    case number(UInt16)
    /// The controller's own public address, which stays the same.
    case address(DeviceAddress)

    /// Parses `hci0` or `00:1B:DC:06:B2:4A`; nil for other texts.
    package init?(_ text: some StringProtocol) {
        if let address = DeviceAddress(text, .public) {
            self = .address(address)
            return
        }
        guard text.hasPrefix("hci"), let number = UInt16(text.dropFirst(3)), number != UInt16.max,
            text == "hci\(number)"
        else { return nil }
        self = .number(number)
    }

    func matches(_ number: UInt16, _ address: DeviceAddress) -> Bool {
        switch self {
        case .number(let own): own == number
        case .address(let own): own == address
        }
    }

    public var description: String {
        switch self {
        case .number(let number): "hci\(number)"
        case .address(let address): "\(address)"
        }
    }
}

extension DeviceAddress {
    /// Whether this address identifies a controller: some controllers have no public address, and report zeros.
    var tellsControllersApart: Bool { bytes.contains { $0 != 0 } }
}
