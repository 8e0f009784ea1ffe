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
            let events = management.events()
            let (index, removals, information) = try await choose(
                name, management, environment.log, environment.locks)
            let (work, jobs) = AsyncStream.makeStream(of: (@Sendable () async -> Void).self)
            let adapter = KernelAdapter(
                index: index, removals: removals, information: information, management: management,
                jobs: jobs, in: environment)
            adapter.warnOfLeftovers()
            try await adapter.prepare(information)
            await adapter.openHCI()
            async let background: Void = withDiscardingTaskGroup { group in
                group.addTask { await adapter.watch(events) }
                for await job in work { group.addTask { await job() } }
                group.cancelAll()
            }
            let result: Result<Value, any Error>
            do { result = .success(try await body(adapter)) } catch { result = .failure(error) }
            jobs.finish()
            await background
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
            let wasLeftOff =
                missing.contains(.powered) && state.withLock { $0.settingsBefore.contains(.powered) }
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
                if state.withLock({ $0.settingsBefore.isSuperset(of: Self.needed) }) { removeRecord() }
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
        let (before, phys, left, linkRequests) = state.withLock {
            ($0.settingsBefore, $0.physBefore, $0.staleLinks, $0.linkRequests)
        }
        let changed = Self.needed.subtracting(before)
        guard !changed.isEmpty || phys != nil || !left.isEmpty || !linkRequests.isEmpty else { return }
        await uncancelled { [self] in
            for peer in left { _ = try? await perform(.disconnect(peer)) }
            // The kernel does not reveal the previous list; without entries it uses its own defaults.
            if !linkRequests.isEmpty { _ = try? await perform(.loadConnectionParameters([])) }
            if let phys { _ = try? await perform(.setPHY(phys)) }
            if changed.contains(.powered) { _ = try? await perform(.setPowered(false)) }
            if changed.contains(.lowEnergy) { _ = try? await perform(.setLowEnergy(false)) }
        }
        removeRecord()
    }
}
