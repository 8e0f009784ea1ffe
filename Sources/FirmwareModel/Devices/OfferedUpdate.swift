public import BluetoothTypes

/// Which of a device's two programs runs.
public enum RunningProgram: String, CaseIterable, Sendable {
    case bootloader
    case application
}

/// A way to update a device, known by its attributes. It is not proof that an update works; it is what a client would
/// look for.
public struct OfferedUpdate: Equatable, Sendable {
    /// The kind of firmware that it takes; some ways have no file of their own.
    public let kind: FirmwareKind
    /// In words.
    public let name: String
    /// What runs on the device while it has these attributes; nil where that could not be read.
    public let program: RunningProgram?
    /// The service.
    public let service: BluetoothUUID

    /// A way as described.
    public init(_ kind: FirmwareKind, _ name: String, _ program: RunningProgram?, _ service: BluetoothUUID) {
        self.kind = kind
        self.name = name
        self.program = program
        self.service = service
    }
}

/// An update service that devices advertise, and what that says about them.
public struct AdvertisedUpdate: Hashable, Sendable {
    /// The service.
    public let service: BluetoothUUID
    /// The kind of firmware that a device takes which advertises it.
    public let kind: FirmwareKind
    /// A short word for the kind in tables.
    public let word: String
    /// Whether it is a bootloader's.
    public let isBootloader: Bool
    /// Whether a bootloader that has no bond is at the address above its application's; otherwise it may be at the
    /// application's own, and the one above another unit's.
    public let isAboveApplication: Bool

    /// A service as described.
    public init(
        _ service: BluetoothUUID, _ kind: FirmwareKind, word: String, isBootloader: Bool,
        isAboveApplication: Bool = false
    ) {
        self.service = service
        self.kind = kind
        self.word = word
        self.isBootloader = isBootloader
        self.isAboveApplication = isAboveApplication
    }
}
