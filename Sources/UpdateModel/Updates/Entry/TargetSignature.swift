public import Bluetooth

/// Distinguishes a device that takes an update from one that does not: a bootloader from an application, or an
/// application that takes updates itself.
public struct TargetSignature: Sendable {
    /// The attributes of a connected device that show which program it runs.
    public struct Sign: Equatable, Sendable {
        /// The value of `TargetSignature.version`; nil when the device has none.
        public let version: [UInt8]?
        /// The device's primary services.
        public let services: [BluetoothUUID]

        public init(version: [UInt8]?, services: [BluetoothUUID]) {
            (self.version, self.services) = (version, services)
        }

        /// The program of a device with the update service `service`, by its other services. A bootloader has Generic
        /// Access (1800) and Generic Attribute (1801), and may have Device Information (180A); other services belong to
        /// applications.
        public func receiver(of service: BluetoothUUID) -> Receiver {
            let others = Set(services).subtracting([service, BluetoothUUID(0x1800), BluetoothUUID(0x1801)])
            if others.isEmpty { return .bootloader }
            return others == [BluetoothUUID(0x180A)] ? .either : .application
        }
    }

    /// A device without this characteristic takes no updates.
    public let control: Characteristic
    /// The characteristic whose value distinguishes programs that all have `control`; nil if `control` is enough.
    public let version: Characteristic?
    /// Whether only applications take such updates, and have `control` again after them.
    public let isApplication: Bool
    /// Whether the procedure itself checks the application's facts, so that they are not read before it.
    public private(set) var isAskedByProcedure = false
    /// Whether the device reports which image it runs, so that the effect of the procedure is known, not just expected.
    public private(set) var namesImage = false
    /// The failure if an application runs that takes no such updates; nil for the general failure.
    public private(set) var unsupportedFailure: UpdateFailure?
    /// Reads the application's version from an advertisement; nil if that has none. This version replaces the one that
    /// is read over a link.
    public private(set) var advertisedVersion: (@Sendable (AdvertisingData) -> String?)?
    private let judge: @Sendable (Sign) -> Receiver?
    private var isAbove: @Sendable (Sign) -> Bool = { _ in true }

    private init(
        _ control: Characteristic, _ version: Characteristic?, isApplication: Bool,
        _ judge: @escaping @Sendable (Sign) -> Receiver?
    ) {
        (self.control, self.version) = (control, version)
        (self.isApplication, self.judge) = (isApplication, judge)
    }

    /// An application with `control` that takes the update while it runs.
    public static func application(
        _ control: Characteristic, isAskedByProcedure: Bool = false, namesImage: Bool = false
    ) -> TargetSignature {
        var signature = TargetSignature(control, nil, isApplication: true) { _ in .application }
        (signature.isAskedByProcedure, signature.namesImage) = (isAskedByProcedure, namesImage)
        return signature
    }

    /// An application with `control` that takes the update while it runs, if the value of `mark` satisfies
    /// `isMarked`; for any other, the update fails with `failure`. `version` reads its version from its advertisements, if used.
    public static func application(
        _ control: Characteristic, showing mark: Characteristic, otherwise failure: UpdateFailure,
        advertising version: (@Sendable (AdvertisingData) -> String?)?,
        where isMarked: @escaping @Sendable ([UInt8]) -> Bool
    ) -> TargetSignature {
        var signature = TargetSignature(control, mark, isApplication: true) {
            $0.version.map(isMarked) ?? false ? .application : nil
        }
        (signature.unsupportedFailure, signature.advertisedVersion) = (failure, version)
        return signature
    }

    /// Any program with `control` takes updates: a bootloader or an application.
    public init(_ control: Characteristic) {
        self.init(control, nil, isApplication: false) { $0.receiver(of: control.service) }
    }

    /// For updates where an application without update support may have `control` too. `receiver` returns the program
    /// by its sign, nil for such an application. `isAbove` returns whether a bootloader without a bond has the
    /// address above its application's.
    public init(
        _ control: Characteristic, version: Characteristic,
        receiver: @escaping @Sendable (Sign) -> Receiver?, isAbove: @escaping @Sendable (Sign) -> Bool
    ) {
        self.init(control, version, isApplication: false, receiver)
        self.isAbove = isAbove
    }

    /// The program of a device that has `control` and shows `sign`; nil for an application that takes no updates.
    public func receiver(_ sign: Sign) -> Receiver? { judge(sign) }

    /// Whether a device that takes updates and shows `sign` can be the bootloader of the application at the address
    /// below.
    public func isAboveApplication(_ sign: Sign) -> Bool {
        guard let receiver = receiver(sign) else { return false }
        // If applications have no distinguishing version, every program that takes updates is a bootloader.
        return version == nil || receiver != .application && isAbove(sign)
    }
}

/// The program of a device that takes an update, as detected over a link.
public enum Receiver: Hashable, Sendable {
    /// A bootloader: it offers only what an update needs.
    case bootloader
    /// The running application: it keeps its address, and is there again after the update.
    case application
    /// Undecided: it offers Device Information as well, as applications and some bootloaders do.
    case either
}
