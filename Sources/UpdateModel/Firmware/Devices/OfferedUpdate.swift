public import Bluetooth

public enum RunningProgram: String, CaseIterable, Sendable {
    case bootloader
    case application
}

/// A way to update a device, recognised by its attributes. It does not guarantee that an update works; it is
/// what a client would look for.
public struct OfferedUpdate: Equatable, Sendable {
    /// The kind of firmware that it takes; some ways have no file format of their own.
    public let kind: FirmwareKind
    public let name: String
    /// The program that runs while the device has these attributes; nil if they do not tell.
    public let program: RunningProgram?
    public let service: BluetoothUUID

    public init(_ kind: FirmwareKind, _ name: String, _ program: RunningProgram?, _ service: BluetoothUUID) {
        (self.kind, self.name, self.program, self.service) = (kind, name, program, service)
    }
}

/// An update service that devices advertise, and what it indicates.
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

/// Where bootloaders that advertise a service are, while they have no bond.
public enum BootloaderPlace: Hashable, Sendable {
    /// At the application's own address.
    case application
    /// At the address above the application's: the last byte is one higher, without carry.
    case above
    /// Above it in some generations and at its own address in others. Only a connection tells
    /// (`TargetSignature.isAboveApplication`).
    case aboveOrApplication
}
