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

/// A file, recognised by its content, never by its name.
public enum PackageFile: Sendable {
    case firmware(any VendorFile)
    /// A file that was recognised, but cannot be installed over the air.
    case unsupported(UnsupportedFile)
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
