public import Bluetooth

/// Everything that the rest of the program knows of a maker with its own format and update method: how to recognise
/// files, what devices advertise and offer, and the rules for checking files.
public protocol Vendor: Sendable {
    /// Its name in JSON output.
    var name: String { get }
    /// Its kinds of firmware.
    var kinds: [FirmwareKind] { get }
    /// The kinds of firmware that the maker's beacons accept; other vendors' kinds may be among them.
    var kindsTaken: [FirmwareKind] { get }
    /// The extensions of its files, in lower case; only the content decides what a file is.
    var fileExtensions: [String] { get }
    /// The services that its devices advertise while they take updates; if a device advertises several, the first one
    /// counts.
    var advertised: [AdvertisedUpdate] { get }
    /// Names of its characteristics.
    var characteristicNames: [BluetoothUUID: String] { get }
    /// The release rules that only apply to its files.
    var rules: [Rule] { get }
    /// Keys that describe a device that has to accept its files.
    var targetKeys: [DeviceKey] { get }
    /// Keys that describe a model in a catalogue.
    var modelKeys: [DeviceKey] { get }

    /// Recognises a file by its content, never by its name; nil if it is not this vendor's. Throws if it is in this
    /// vendor's format, but invalid.
    func recognise(_ file: [UInt8]) throws(FirmwareFileError) -> PackageFile?
    /// Why a file that starts like one of this vendor's is not one; nil if it does not start so.
    func lookalike(_ file: [UInt8]) -> String?
    /// The ways to update a device with these attributes.
    func updates(offeredBy device: DeviceInventory) -> [OfferedUpdate]
}

extension Vendor {
    /// Only the vendor's own kinds.
    public var kindsTaken: [FirmwareKind] { kinds }
    /// Only the general rules.
    public var rules: [Rule] { [] }
    /// Only the general keys.
    public var targetKeys: [DeviceKey] { [] }
    /// Only the general keys.
    public var modelKeys: [DeviceKey] { [] }
    /// No services: its devices do not advertise that they take updates.
    public var advertised: [AdvertisedUpdate] { [] }
    /// No names.
    public var characteristicNames: [BluetoothUUID: String] { [:] }
    /// No files start like those of this vendor.
    public func lookalike(_ file: [UInt8]) -> String? { nil }
    /// None: attributes do not show which updates a device takes.
    public func updates(offeredBy device: DeviceInventory) -> [OfferedUpdate] { [] }
}
