import Bluetooth
import Bytes

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

    /// Which devices have a link to controller `index`.
    ///
    ///     0  2  number n
    ///     2  7n  addresses and types
    func connections(of index: UInt16) async throws(ManagementError) -> Set<DeviceAddress> {
        try await ask(.getConnections, of: index) { (reader) throws(ByteError) in
            let count: UInt16 = try reader.integer("connections")
            var devices: Set<DeviceAddress> = []
            for _ in 0..<count {
                if let device = try DeviceAddress.management(parsing: &reader) { devices.insert(device) }
            }
            return devices
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
