/// A firmware file in a vendor's format; well-formed, but perhaps with findings.
public protocol VendorFile: Sendable {
    /// The kind of firmware.
    var kind: FirmwareKind { get }
    /// A summary in a few words.
    var summary: PackageSummary { get }
    /// The full content.
    var inspection: FileInspection { get }
    /// The usual file extension.
    var usualExtension: String { get }
    /// The models or the hardware that it is for, in a word or two; nil if it does not say.
    var hardware: String? { get }
    /// When it was built; nil if it does not say.
    var built: BuildMoment? { get }
    /// What devices compare to tell releases apart; nil if they do not compare.
    var identity: ReleaseIdentity? { get }
    /// The options that apply to it.
    var optionTypes: [any VendorOptions.Type] { get }
    /// The risks that a user may accept with it.
    var risks: Set<Risk> { get }

    /// Everything that devices refuse, or that people should know, for `inspect` and before an update.
    func findings(_ options: UpdateOptions) -> [Finding]
    /// Findings that block a release, beyond ``findings(_:)``; `device` is one that has to accept it.
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
    /// None: files do not name their hardware.
    public var hardware: String? { nil }
    /// None: files of most vendors have no build time.
    public var built: BuildMoment? { nil }
    /// None: devices accept any release after any other.
    public var identity: ReleaseIdentity? { nil }
    /// Only the general options.
    public var optionTypes: [any VendorOptions.Type] { [] }
    /// None.
    public var risks: Set<Risk> { [] }
    /// Nothing beyond the findings for an update.
    public func releaseFindings(_ options: UpdateOptions, for device: TargetDevice?) -> [Finding] {
        findings(options)
    }
    /// Nil, for the general check of versions in names.
    public func findings(onName name: String) -> [Finding]? { nil }
    /// False: files do not name models.
    public func names(_ model: DeviceModel) -> Bool { false }
    /// None: a file without a hardware name fits every model of its kind.
    public func mismatch(with model: DeviceModel) -> Finding? { nil }

    /// Whether options of this type apply to it.
    public func takes(_ type: (some VendorOptions).Type) -> Bool {
        optionTypes.contains { ObjectIdentifier($0) == ObjectIdentifier(type) }
    }
}
