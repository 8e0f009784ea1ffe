public import BluetoothTypes
public import FirmwareModel
public import Sessions

/// Everything that the rest of the program knows of whoever has made a format and a way to update: how a file is
/// recognised, what devices advertise and offer, and by which rules and facts files are judged.
public protocol Vendor: Sendable {
    /// Its name in JSON output.
    var name: String { get }
    /// Its kinds of firmware.
    var kinds: [FirmwareKind] { get }
    /// The kinds of firmware that beacons of its make take; kinds of others may be among them.
    var kindsTaken: [FirmwareKind] { get }
    /// How names of its files end, in lower case; the content alone says what a file is.
    var fileExtensions: [String] { get }
    /// What its devices advertise while they take updates; where a device advertises several, the first one counts.
    var advertised: [AdvertisedUpdate] { get }
    /// What it calls its characteristics.
    var characteristicNames: [BluetoothUUID: String] { get }
    /// The rules of the release gate that are about its files only.
    var rules: [Rule] { get }
    /// What may be told of a device that has to take its files.
    var targetKeys: [DeviceKey] { get }
    /// What a catalogue may say of a model.
    var modelKeys: [DeviceKey] { get }

    /// What a file is, by its content and never by its name; nil where it is none of this vendor's. Throws where it is
    /// meant to be one and is broken.
    func recognise(_ file: [UInt8]) throws(FirmwareFileError) -> PackageFile?
    /// Why a file that begins like one of this vendor's is none; nil where it does not begin so.
    func lookalike(_ file: [UInt8]) -> String?
    /// The ways to update a device that has these attributes.
    func updates(offeredBy device: DeviceInventory) -> [OfferedUpdate]
}

extension Vendor {
    /// Its beacons take its own files alone.
    public var kindsTaken: [FirmwareKind] { kinds }
    /// Its files are judged by the general rules alone.
    public var rules: [Rule] { [] }
    /// Its devices are described by the general keys alone.
    public var targetKeys: [DeviceKey] { [] }
    /// Its models are told apart by the general keys alone.
    public var modelKeys: [DeviceKey] { [] }
    /// Its devices do not advertise that they take updates.
    public var advertised: [AdvertisedUpdate] { [] }
    /// Its characteristics have no names of their own.
    public var characteristicNames: [BluetoothUUID: String] { [:] }
    /// Nothing else begins as its files do.
    public func lookalike(_ file: [UInt8]) -> String? { nil }
    /// Its attributes do not tell which updates it takes.
    public func updates(offeredBy device: DeviceInventory) -> [OfferedUpdate] { [] }
}
