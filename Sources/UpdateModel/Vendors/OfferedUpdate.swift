public import Bluetooth

/// A way to update a device, recognised by the attributes that a client of this way looks for. They do not guarantee
/// that an update works.
public struct OfferedUpdate: Equatable, Sendable {
    /// The kind of firmware that the device takes; some kinds have no file format of their own.
    public let kind: FirmwareKind
    public let name: String
    /// The program that runs while the device has these attributes; nil if they do not show it.
    public let program: RunningProgram?
    public let service: BluetoothUUID

    public init(_ kind: FirmwareKind, _ name: String, _ program: RunningProgram?, _ service: BluetoothUUID) {
        (self.kind, self.name, self.program, self.service) = (kind, name, program, service)
    }
}

/// An update service that devices advertise, and what it shows about them.
public struct AdvertisedUpdate: Hashable, Sendable {
    public let service: BluetoothUUID
    /// The kind of firmware that a device advertising it takes.
    public let kind: FirmwareKind
    /// A short word for the kind, for tables: `secure`.
    public let word: String
    public let isBootloader: Bool
    /// Where a bootloader without a bond advertises, relative to its application's address.
    public let place: BootloaderPlace

    public init(
        _ service: BluetoothUUID, _ kind: FirmwareKind, word: String, isBootloader: Bool,
        place: BootloaderPlace = .application
    ) {
        (self.service, self.kind, self.word) = (service, kind, word)
        (self.isBootloader, self.place) = (isBootloader, place)
    }
}

/// The address of a bootloader without a bond, relative to its application's.
public enum BootloaderPlace: Hashable, Sendable {
    /// At the application's own address.
    case application
    /// At the address above the application's: the last byte is one higher, without carry.
    case above
    /// `above` in some generations of the bootloader, `application` in others. Only a connection shows which
    /// (`TargetSignature.isAboveApplication`).
    case aboveOrApplication
}
