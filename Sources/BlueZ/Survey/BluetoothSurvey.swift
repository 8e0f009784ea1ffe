public import PacketSockets
public import Timing

/// What this machine has of Bluetooth, as far as one may look without changing anything.
public struct BluetoothSurvey: Equatable, Sendable {
    /// One controller.
    public struct Controller: Equatable, Sendable {
        /// `hci0` and the like.
        public let name: String
        /// Its public address, as text.
        public let address: String
        /// Whether its radio is on.
        public let isPowered: Bool
        /// Whether Low Energy is on.
        public let hasLowEnergy: Bool
        /// Whether PHYs can be chosen.
        public let hasPHYs: Bool
    }

    /// A radio switch that holds Bluetooth off.
    public enum Block: String, Equatable, Sendable {
        /// By software; `rfkill unblock` lifts it.
        case soft
        /// By a switch on the machine.
        case hard
    }

    /// The controllers; nil when the kernel has no Bluetooth at all.
    public let controllers: [Controller]?
    /// What holds the radio off.
    public let block: Block?
    /// Capabilities that this process lacks.
    public let missingCapabilities: [String]
    /// Whether BlueZ's daemon runs; it may connect to a beacon before we do.
    public let hasDaemon: Bool
    /// The kernel's release, as in `6.1.0`.
    public let kernel: String

    /// Looks around.
    public static func take(
        time: Timekeeper, readiness: any DescriptorReadiness
    ) async throws -> BluetoothSurvey {
        BluetoothSurvey(
            controllers: try await controllers(time: time, readiness: readiness), block: Machine.block,
            missingCapabilities: Machine.missingCapabilities, hasDaemon: Machine.runs("bluetoothd"),
            kernel: Machine.kernel)
    }

    private static func controllers(
        time: Timekeeper, readiness: any DescriptorReadiness
    ) async throws -> [Controller]? {
        guard let socket = try? PacketSocket.management(readiness: readiness) else { return nil }
        let management = ManagementChannel(bearer: socket, time: time)
        async let _ = management.run()
        defer { management.close() }
        var found: [Controller] = []
        for index in try await management.controllers() {
            let information = try await management.information(of: index)
            found.append(
                Controller(
                    name: "hci\(index)", address: "\(information.address)",
                    isPowered: information.current.contains(.powered),
                    hasLowEnergy: information.current.contains(.lowEnergy),
                    hasPHYs: information.supported.contains(.phyConfiguration)))
        }
        return found
    }
}
