import BluetoothTypes
import ByteCoding
import GATT
public import Logging
public import PacketSockets
import Radio
import Synchronization
public import Timing

extension KernelAdapter {
    /// Runs `body` with the adapter `name` (`hci0`), or with the first powered one when `name` is nil.
    ///
    /// With `poweringOn` a controller that is off, or has Low Energy off, is switched on for the scope.
    public static func withAdapter<Value: Sendable>(
        _ name: String?, poweringOn: Bool, time: Timekeeper, readiness: any DescriptorReadiness, log: Logger,
        _ body: (KernelAdapter) async throws -> Value
    ) async throws -> Value {
        let socket: PacketSocket
        do throws(SocketError) { socket = try PacketSocket.management(readiness: readiness) } catch {
            throw AdapterError.unavailable(
                "this machine has no Bluetooth (\(error.call) failed with error \(error.errno))")
        }
        return try await withAdapter(
            name, poweringOn: poweringOn, over: socket, time: time, readiness: readiness, log: log, body)
    }

    /// The same over an open management socket; `executor` runs what outlives a cancelled task.
    static func withAdapter<Value: Sendable>(
        _ name: String?, poweringOn: Bool, over socket: any Bearer, time: Timekeeper,
        readiness: any DescriptorReadiness, log: Logger, executor: (any TaskExecutor)? = nil,
        _ body: (KernelAdapter) async throws -> Value
    ) async throws -> Value {
        let management = ManagementChannel(bearer: socket, time: time)
        // No child of this task: the channel has to work until all is restored, also after a cancellation.
        let pump = Task(executorPreference: executor) { await management.run() }
        let result: Result<Value, any Error>
        do {
            result = .success(
                try await withAdapter(
                    name, poweringOn: poweringOn, by: management, time: time, readiness: readiness, log: log,
                    executor: executor, body))
        } catch { result = .failure(error) }
        management.close()
        // A management socket cannot be shut down, so closing does not wake who waits for it; this does.
        pump.cancel()
        await pump.value
        return try result.get()
    }

    private static func withAdapter<Value: Sendable>(
        _ name: String?, poweringOn: Bool, by management: ManagementChannel, time: Timekeeper,
        readiness: any DescriptorReadiness, log: Logger, executor: (any TaskExecutor)?,
        _ body: (KernelAdapter) async throws -> Value
    ) async throws -> Value {
        let (index, information) = try await choose(name, management)
        let (work, jobs) = AsyncStream.makeStream(of: (@Sendable () async -> Void).self)
        let adapter = KernelAdapter(
            index: index, address: information.address, management: management, time: time,
            readiness: readiness, log: log, jobs: jobs, executor: executor)
        let before = try await adapter.prepare(information, poweringOn: poweringOn)
        async let air: Void = withDiscardingTaskGroup { group in
            group.addTask { await adapter.watchPresence() }
            for await job in work { group.addTask { await job() } }
            group.cancelAll()
        }
        let result: Result<Value, any Error>
        do { result = .success(try await body(adapter)) } catch { result = .failure(error) }
        jobs.finish()
        await air
        await adapter.restore(before)
        return try result.get()
    }

    private static func choose(
        _ name: String?, _ management: ManagementChannel
    ) async throws -> (UInt16, ControllerInformation) {
        var found: [(UInt16, ControllerInformation)] = []
        for index in try await management.controllers() {
            found.append((index, try await management.information(of: index)))
        }
        if let name {
            guard let match = found.first(where: { "hci\($0.0)" == name }) else {
                let names = found.map { "hci\($0.0)" }.joined(separator: ", ")
                let list = found.isEmpty ? "there is none" : names
                throw AdapterError.unavailable("there is no adapter \(name); present: \(list)")
            }
            return match
        }
        guard let first = found.first(where: { $0.1.current.contains(.powered) }) ?? found.first else {
            throw AdapterError.unavailable("this machine has no Bluetooth adapter")
        }
        return first
    }

    /// Switches on what is off, when that was asked for; returns what it was.
    private func prepare(
        _ information: ControllerInformation, poweringOn: Bool
    ) async throws -> ControllerSettings {
        let needed: ControllerSettings = [.powered, .lowEnergy]
        let missing = needed.subtracting(information.current)
        guard !missing.isEmpty else { return information.current }
        guard poweringOn else {
            let what = missing.contains(.powered) ? "off" : "on without Low Energy"
            throw AdapterError.unavailable("\(name) is \(what); --power-on switches it on for this run")
        }
        do throws(ManagementError) {
            if missing.contains(.lowEnergy) { try await management.perform(.setLowEnergy(true), on: index) }
            if missing.contains(.powered) { try await management.perform(.setPowered(true), on: index) }
        } catch {
            await restore(information.current)
            switch error {
            case .refused(.permissionDenied, _):
                throw AdapterError.notPermitted(capability: "CAP_NET_ADMIN", to: "switch \(name) on")
            case .cancelled: throw AdapterError.cancelled
            default: throw AdapterError.unavailable("\(name) could not be switched on: \(error)")
            }
        }
        return information.current
    }

    /// Restores what `prepare` has changed, also when the task was cancelled meanwhile.
    private func restore(_ before: ControllerSettings) async {
        let changed = ControllerSettings([.powered, .lowEnergy]).subtracting(before)
        guard !changed.isEmpty, !state.withLock({ $0.isGone }) else { return }
        let management = management
        let index = index
        await uncancelled {
            if changed.contains(.powered) {
                _ = try? await management.perform(.setPowered(false), on: index)
            }
            if changed.contains(.lowEnergy) {
                _ = try? await management.perform(.setLowEnergy(false), on: index)
            }
        }
    }

    /// Notes when the controller is unplugged.
    private func watchPresence() async {
        for await (controller, event) in management.events() where controller == index {
            if case .indexRemoved = event { state.withLock { $0.isGone = true } }
            if case .indexAdded = event { state.withLock { $0.isGone = false } }
        }
    }
}

extension ManagementChannel {
    /// The numbers of all controllers.
    func controllers() async throws(ManagementError) -> [UInt16] {
        var reader = try await perform(.readIndexList)
        do throws(ByteError) {
            let count: UInt16 = try reader.integer("controllers")
            var list: [UInt16] = []
            for _ in 0..<count { list.append(try reader.integer("controller index")) }
            return list
        } catch { throw .malformed(command: ManagementCommand.readIndexList.name) }
    }

    /// Address and settings of one controller.
    func information(of index: UInt16) async throws(ManagementError) -> ControllerInformation {
        var reader = try await perform(.readInformation, on: index)
        do throws(ByteError) { return try ControllerInformation(parsing: &reader) } catch {
            throw .malformed(command: ManagementCommand.readInformation.name)
        }
    }
}
