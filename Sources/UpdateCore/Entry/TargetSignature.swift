public import BluetoothTypes

/// What tells a device that takes an update from one that does not: a bootloader from an application, or an
/// application that takes updates itself.
public struct TargetSignature: Sendable {
    /// What a device shows of the program it runs.
    public struct Sign: Equatable, Sendable {
        /// The value of `TargetSignature.version`; nil when the device has none.
        public let version: [UInt8]?
        /// The device's primary services.
        public let services: [BluetoothUUID]

        /// A sign as described.
        public init(version: [UInt8]?, services: [BluetoothUUID]) {
            self.version = version
            self.services = services
        }

        /// What a device with the update service `service` is, by what it offers beside that. A bootloader has
        /// Generic Access and Generic Attribute, and may have Device Information; anything else is an application's.
        public func receiver(of service: BluetoothUUID) -> Receiver {
            let others = Set(services).subtracting([service, Self.access, Self.attribute])
            if others.isEmpty { return .bootloader }
            return others == [Self.information] ? .either : .application
        }

        private static let access = BluetoothUUID(0x1800)
        private static let attribute = BluetoothUUID(0x1801)
        private static let information = BluetoothUUID(0x180A)
    }

    /// A device without it is not in its bootloader.
    public let control: Characteristic
    /// Where an application may have `control` too: the value that tells them apart.
    public let version: Characteristic?
    /// Whether only applications take such updates, and have `control` again when they are over.
    public let isApplication: Bool
    /// Whether the procedure itself asks the application what speaks against the update, so that nobody asks it before.
    public let isAskedByProcedure: Bool
    /// What it means that a device has not what is asked for; nil where it only has no such updates.
    public private(set) var absence: UpdateFailure?
    /// The version in what the application advertises, where it can be read there: then it counts in place of what the
    /// application shows on a link.
    public private(set) var advertisedVersion: (@Sendable (AdvertisingData) -> String?)?
    private let judge: @Sendable (Sign) -> Receiver?
    private var isAbove: @Sendable (Sign) -> Bool = { _ in true }

    private init(
        _ control: Characteristic, _ version: Characteristic?, isApplication: Bool,
        isAskedByProcedure: Bool = false, _ judge: @escaping @Sendable (Sign) -> Receiver?
    ) {
        self.control = control
        self.version = version
        self.isApplication = isApplication
        self.isAskedByProcedure = isAskedByProcedure
        self.judge = judge
    }

    /// An application with `control` takes the update while it runs.
    public static func application(
        _ control: Characteristic, isAskedByProcedure: Bool = false
    ) -> TargetSignature {
        TargetSignature(control, nil, isApplication: true, isAskedByProcedure: isAskedByProcedure) { _ in
            .application
        }
    }

    /// An application with `control` takes the update while it runs, where the value of `mark` is such that `isMarked`; any
    /// other is refused with `absence`. `version` reads its version from what it advertises,
    /// where that counts.
    public static func application(
        _ control: Characteristic, blinking mark: Characteristic, without absence: UpdateFailure,
        advertising version: (@Sendable (AdvertisingData) -> String?)?,
        where isMarked: @escaping @Sendable ([UInt8]) -> Bool
    ) -> TargetSignature {
        var signature = TargetSignature(control, mark, isApplication: true) {
            $0.version.map(isMarked) ?? false ? .application : nil
        }
        (signature.absence, signature.advertisedVersion) = (absence, version)
        return signature
    }

    /// Whoever has `control` takes updates: a bootloader, or an application.
    public init(_ control: Characteristic) {
        self.init(control, nil, isApplication: false) { $0.receiver(of: control.service) }
    }

    /// An application that takes no updates may have `control` too; `receiver` tells by what the device shows what takes
    /// updates, nil for an application that does not. `isAbove` tells whether a bootloader without a bond is at the address
    /// above its application's.
    public init(
        _ control: Characteristic, version: Characteristic,
        receiver: @escaping @Sendable (Sign) -> Receiver?, isAbove: @escaping @Sendable (Sign) -> Bool
    ) {
        self.init(control, version, isApplication: false, receiver)
        self.isAbove = isAbove
    }

    /// What a device that has `control` and shows `sign` is; nil for an application that takes no updates.
    public func receiver(_ sign: Sign) -> Receiver? { judge(sign) }

    /// Whether a device that takes updates and shows `sign` can be the bootloader of the application at the address
    /// below.
    public func isAboveApplication(_ sign: Sign) -> Bool {
        guard let receiver = receiver(sign) else { return false }
        // Where applications have no version to tell them by, whatever takes updates is a bootloader.
        return version == nil || receiver != .application && isAbove(sign)
    }
}
