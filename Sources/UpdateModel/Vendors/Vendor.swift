public import Bluetooth

/// A maker with its own format and update method, as the rest of the program knows it: how to recognise files, what
/// devices advertise and offer, and the rules for checking files.
public protocol Vendor: Sendable {
    /// Its name in JSON output.
    var name: String { get }
    var kinds: [FirmwareKind] { get }
    /// The kinds of firmware that the maker's beacons accept; other vendors' kinds may be among them.
    var kindsTaken: [FirmwareKind] { get }
    /// The extensions of its files, in lower case; only the content decides what a file is.
    var fileExtensions: [String] { get }
    /// The services that its devices advertise while they take updates; if a device advertises several, the first one
    /// counts.
    var advertised: [AdvertisedUpdate] { get }
    var characteristicNames: [BluetoothUUID: String] { get }
    /// The codes of its findings and failures, which no other vendor has.
    var failureCodes: [any FailureCodeGroup] { get }
    /// Keys that describe a device that has to accept its files.
    var targetKeys: [DeviceKey] { get }
    /// Keys that describe a model in a catalogue.
    var modelKeys: [DeviceKey] { get }
    /// What is supported of its beacons: rows of docs/makers.md.
    var support: [MakerSupport] { get }

    /// Recognises a file by its content, never by its name; nil if it is not this vendor's. Throws if it is in this
    /// vendor's format, but invalid.
    func recognise(_ file: [UInt8]) throws(FirmwareFileError) -> PackageFile?
    /// Why a file that starts like one of this vendor's is not one; nil if it does not start so.
    func lookalike(_ file: [UInt8]) -> String?
    /// The ways to update a device with these attributes.
    func updates(offeredBy device: DeviceInventory) -> [OfferedUpdate]

    /// The options for sending its files; each type applies to some of the files.
    var options: [any VendorOptions.Type] { get }
    /// The meanings of the numbers with which its devices answer.
    var resultTables: [ResultTable] { get }
    var wording: VendorWording { get }
}

extension Vendor {
    public var kindsTaken: [FirmwareKind] { kinds }
    public var failureCodes: [any FailureCodeGroup] { [] }
    public var targetKeys: [DeviceKey] { [] }
    public var modelKeys: [DeviceKey] { [] }
    public var support: [MakerSupport] { [] }
    public var advertised: [AdvertisedUpdate] { [] }
    public var characteristicNames: [BluetoothUUID: String] { [:] }
    public func lookalike(_ file: [UInt8]) -> String? { nil }
    public func updates(offeredBy device: DeviceInventory) -> [OfferedUpdate] { [] }
    public var options: [any VendorOptions.Type] { [] }
    public var resultTables: [ResultTable] { [] }
    public var wording: VendorWording { VendorWording() }
}

/// The vendor's words that programs use in their own sentences.
public struct VendorWording: Sendable {
    /// What its files are for, in a word; nil for the vendor's name.
    public let files: String?
    /// The path of a file among the samples, for examples; nil for none.
    public let sample: String?
    /// The programs of its devices that take packets of 244 bytes; nil if that is not known.
    public let longPackets: String?
    /// A text for each risk: the protocols that have it, or what it means in the vendor's protocols.
    public let risks: [Risk: String]
    /// The names of the recipes that build files, by kind.
    public let recipes: [FirmwareKind: String]

    public init(
        files: String? = nil, sample: String? = nil, longPackets: String? = nil, risks: [Risk: String] = [:],
        recipes: [FirmwareKind: String] = [:]
    ) {
        (self.files, self.sample, self.longPackets) = (files, sample, longPackets)
        (self.risks, self.recipes) = (risks, recipes)
    }
}
