/// The state of Bluetooth on this machine, as facts without a verdict.
public struct BluetoothSurvey: Equatable, Sendable {
    /// Whether a program scans with a controller.
    public enum Discovery: Equatable, Sendable {
        /// No program does.
        case none
        /// Another program does, in a way that allows sharing.
        case shared
        /// The controller refuses to scan, with the reason: usually a scan that bypasses the kernel.
        case refused(String)
        /// Unknown, with the reason.
        case unknown(String)
    }

    /// One controller.
    public struct Controller: Equatable, Sendable {
        /// `hci0` and the like.
        public let name: String
        /// Its public address, as text.
        public let address: String
        /// Whether its radio is on.
        public let isPowered: Bool
        /// Whether it supports Low Energy.
        public let canLowEnergy: Bool
        /// Whether Low Energy is on.
        public let hasLowEnergy: Bool
        /// Whether PHYs can be selected.
        public let hasPHYs: Bool
        /// Whether a program scans with it.
        public let discovery: Discovery
        /// What a killed run of this program has left, in words; nil if nothing.
        public let leftovers: String?

        /// A controller with the given state.
        public init(
            name: String, address: String, isPowered: Bool = true, canLowEnergy: Bool = true,
            hasLowEnergy: Bool = true, hasPHYs: Bool = true, discovery: Discovery = .none,
            leftovers: String? = nil
        ) {
            self.name = name
            self.address = address
            self.isPowered = isPowered
            self.canLowEnergy = canLowEnergy
            self.hasLowEnergy = hasLowEnergy
            self.hasPHYs = hasPHYs
            self.discovery = discovery
            self.leftovers = leftovers
        }

        /// Whether `choice` identifies it.
        public func isMeant(by choice: ControllerName) -> Bool {
            "\(choice)" == name || "\(choice)" == address
        }
    }

    /// A radio switch that blocks Bluetooth.
    public enum Block: String, Equatable, Sendable {
        /// By software; `rfkill unblock` lifts it.
        case soft
        /// By a switch on the machine.
        case hard
    }

    /// The controllers; nil when the kernel has no Bluetooth at all.
    public let controllers: [Controller]?
    /// The radio switch that blocks Bluetooth, if any.
    public let block: Block?
    /// Capabilities that this process lacks.
    public let missingCapabilities: [String]
    /// Whether BlueZ's daemon runs, which may connect to a beacon first; nil if that cannot be seen.
    public let hasDaemon: Bool?
    /// The kernel's release.
    public let kernel: KernelRelease

    /// A machine with the given state.
    public init(
        controllers: [Controller]?, block: Block? = nil, missingCapabilities: [String] = [],
        hasDaemon: Bool? = false, kernel: KernelRelease
    ) {
        self.controllers = controllers
        self.block = block
        self.missingCapabilities = missingCapabilities
        self.hasDaemon = hasDaemon
        self.kernel = kernel
    }
}
