public import BluetoothTypes

/// What tells a device that takes an update from one that does not: a bootloader from an application, or an
/// application that takes updates itself.
public struct Entrance: Sendable {
    /// What a device shows of the program it runs.
    public struct Sign: Equatable, Sendable {
        /// The value of `Entrance.version`; nil when the device has none.
        public let version: [UInt8]?
        /// How many primary services the device has.
        public let services: Int

        /// A sign as described.
        public init(version: [UInt8]?, services: Int) {
            self.version = version
            self.services = services
        }
    }

    /// A device without it is not in its bootloader.
    public let control: Characteristic
    /// Where an application may have `control` too: the value that tells them apart.
    public let version: Characteristic?
    /// Whether it is the application that takes the update, and has `control` again when it is over.
    public let isApplication: Bool
    private let judge: @Sendable (Sign) -> Bool

    private init(
        _ control: Characteristic, _ version: Characteristic?, isApplication: Bool,
        _ judge: @escaping @Sendable (Sign) -> Bool
    ) {
        self.control = control
        self.version = version
        self.isApplication = isApplication
        self.judge = judge
    }

    /// An application with `control` takes the update while it runs.
    public static func application(_ control: Characteristic) -> Entrance {
        Entrance(control, nil, isApplication: true) { _ in true }
    }

    /// Only a bootloader has `control`.
    public init(_ control: Characteristic) {
        self.init(control, nil, isApplication: false) { _ in true }
    }

    /// An application may have `control` too; `isBootloader` tells by what the device shows.
    public init(
        _ control: Characteristic, version: Characteristic, isBootloader: @escaping @Sendable (Sign) -> Bool
    ) {
        self.init(control, version, isApplication: false, isBootloader)
    }

    /// Whether a device that has `control` and shows `sign` is in its bootloader.
    public func isBootloader(_ sign: Sign) -> Bool { judge(sign) }
}
