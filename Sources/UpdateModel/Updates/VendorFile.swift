public import Bluetooth

/// A firmware file in a vendor's format: it is well-formed, but may have findings.
public protocol VendorFile: Sendable {
    var kind: FirmwareKind { get }
    var summary: PackageSummary { get }
    var inspection: FileInspection { get }
    var usualExtension: String { get }
    /// The models or the hardware that it is for, in a word or two; nil if it does not say.
    var hardware: String? { get }
    /// When it was built; nil if it does not say.
    var built: BuildMoment? { get }
    /// What devices compare to tell releases apart; nil if they do not compare.
    var identity: ReleaseIdentity? { get }
    /// The options of its vendor that apply to it.
    var optionTypes: [any VendorOptions.Type] { get }
    /// Whether `option` has an effect on its updates.
    func takes(_ option: VendorOption) -> Bool
    /// The risks that a user may accept when installing it.
    var risks: Set<Risk> { get }

    /// Everything that devices refuse, or that people should know, for `inspect` and before an update.
    func findings(_ options: UpdateOptions) -> [Finding]
    /// The findings for a release: those of ``findings(_:)``, except some that do not apply to `device`, and others.
    /// `device` is one that has to accept the file; nil if none is given.
    func releaseFindings(_ options: UpdateOptions, for device: TargetDevice?) -> [Finding]
    /// Contradictions between its name and its content; nil to use the general check of versions in names.
    func findings(onName name: String) -> [Finding]?
    /// Whether the file itself names this model.
    func names(_ model: DeviceModel) -> Bool
    /// The difference between the file and the model in the catalogue, if any.
    func mismatch(with model: DeviceModel) -> Finding?
    /// The predicted responses of a device, in the order of its checks.
    func answers(of device: TargetDevice, _ options: UpdateOptions) -> [Answer]
    /// The plan that installs it; throws if no device would accept it.
    func plan(_ options: UpdateOptions) throws(PlanRefusal) -> UpdatePlan
}

extension VendorFile {
    public var hardware: String? { nil }
    public var built: BuildMoment? { nil }
    public var identity: ReleaseIdentity? { nil }
    public var optionTypes: [any VendorOptions.Type] { [] }
    /// True for every option of `optionTypes`, and for the general options, which do not concern a bootloader.
    public func takes(_ option: VendorOption) -> Bool {
        TransferOptions.general.contains(option) || optionTypes.contains { $0.options.contains(option) }
    }
    public var risks: Set<Risk> { [] }
    /// The findings for an update.
    public func releaseFindings(_ options: UpdateOptions, for device: TargetDevice?) -> [Finding] {
        findings(options)
    }
    public func findings(onName name: String) -> [Finding]? { nil }
    public func names(_ model: DeviceModel) -> Bool { false }
    /// A file without a hardware name fits every model of its kind.
    public func mismatch(with model: DeviceModel) -> Finding? { nil }

    public func takes(_ type: (some VendorOptions).Type) -> Bool {
        optionTypes.contains { ObjectIdentifier($0) == ObjectIdentifier(type) }
    }
}

public struct UpdateOptions: Sendable {
    /// The version text that the new application has to report; nil to use the file's version.
    public var versionText: String?
    public var risks: Set<Risk>
    private var own: [ObjectIdentifier: any VendorOptions] = [:]

    public init(versionText: String? = nil, risks: Set<Risk> = []) {
        (self.versionText, self.risks) = (versionText, risks)
    }

    public subscript<Options: VendorOptions>(type: Options.Type) -> Options {
        get { own[ObjectIdentifier(type)] as? Options ?? Options() }
        set { own[ObjectIdentifier(type)] = newValue }
    }
}

/// How to install a file on a device.
public struct UpdatePlan: Sendable {
    /// The service that a device for such files has while it takes them.
    public let service: BluetoothUUID
    /// How to send the application to its bootloader; nil if it takes updates itself.
    public let entry: (any BootloaderEntry)?
    /// The conversation that installs the file, including its checks and the expected result.
    public let procedure: any UpdateProcedure
    /// Findings about the way the file will be sent.
    public let advice: [Finding]

    public init(
        _ procedure: any UpdateProcedure, entry: (any BootloaderEntry)?, over service: BluetoothUUID,
        advice: [Finding] = []
    ) {
        (self.procedure, self.entry, self.service, self.advice) = (procedure, entry, service, advice)
    }
}

public enum PlanRefusal: Error, Equatable, Sendable {
    case file(Finding)
    /// The file is only read, not sent; nil if the reason is that of all files of this kind.
    case notSent(because: String?)
    case options(UpdateFailure)
    /// The device takes updates of another kind.
    case device(AdvertisedUpdate)
}

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

/// A file, recognised by its content, never by its name.
public enum PackageFile: Sendable {
    case firmware(any VendorFile)
    /// A file that was recognised, but cannot be installed over the air.
    case unsupported(UnsupportedFile)
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
