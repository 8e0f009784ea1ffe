public import BluetoothTypes

/// What tells a device in its bootloader from one in its application.
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
    private let judge: @Sendable (Sign) -> Bool

    /// Only a bootloader has `control`.
    public init(_ control: Characteristic) {
        self.control = control
        version = nil
        judge = { _ in true }
    }

    /// An application may have `control` too; `isBootloader` tells by what the device shows.
    public init(
        _ control: Characteristic, version: Characteristic, isBootloader: @escaping @Sendable (Sign) -> Bool
    ) {
        self.control = control
        self.version = version
        judge = isBootloader
    }

    /// Whether a device that has `control` and shows `sign` is in its bootloader.
    public func isBootloader(_ sign: Sign) -> Bool { judge(sign) }
}
