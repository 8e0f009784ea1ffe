public import FirmwareModel

/// A firmware file in a vendor's format: whole, and perhaps with flaws.
public protocol VendorFile: Sendable {
    /// What it is.
    var kind: FirmwareKind { get }
    /// It in a few words.
    var summary: PackageSummary { get }
    /// Everything in it.
    var inspection: FileInspection { get }
    /// How names of such files end.
    var usualExtension: String { get }
    /// The models or the hardware that it is for, in a word or two; nil where it does not say.
    var hardware: String? { get }
    /// When it was built; nil where it does not say.
    var built: BuildMoment? { get }
    /// What devices tell it from another release by; nil where they do not compare.
    var identity: ReleaseIdentity? { get }
    /// The options that mean something for it.
    var optionTypes: [any VendorOptions.Type] { get }
    /// The risks that can be taken with it.
    var risks: Set<Risk> { get }

    /// What devices and people will mind, for `inspect` and before an update.
    func findings(_ options: UpdateOptions) -> [Finding]
    /// What a release should wait for, beyond ``findings(_:)``; `device` is one that has to take it.
    func releaseFindings(_ options: UpdateOptions, for device: TargetDevice?) -> [Finding]
    /// What its name says otherwise than its content; nil where the general look at versions in names is right.
    func findings(onName name: String) -> [Finding]?
    /// Whether the file itself names this model.
    func names(_ model: DeviceModel) -> Bool
    /// What of a model is otherwise than the file has it.
    func mismatch(with model: DeviceModel) -> Finding?
    /// What a device would answer to it, in its order.
    func answers(of device: TargetDevice, _ options: UpdateOptions) -> [Answer]
    /// What installs it; throws what no device would take.
    func plan(_ options: UpdateOptions) throws(PlanRefusal) -> UpdatePlan
}

extension VendorFile {
    /// Files do not say which hardware they are for.
    public var hardware: String? { nil }
    /// Files of most vendors have no time in them.
    public var built: BuildMoment? { nil }
    /// Devices take any release after any other.
    public var identity: ReleaseIdentity? { nil }
    /// The general options are all that it takes.
    public var optionTypes: [any VendorOptions.Type] { [] }
    /// There is nothing that somebody could insist on.
    public var risks: Set<Risk> { [] }
    /// What holds for an update holds for a release.
    public func releaseFindings(_ options: UpdateOptions, for device: TargetDevice?) -> [Finding] {
        findings(options)
    }
    /// The general look at versions in names is right.
    public func findings(onName name: String) -> [Finding]? { nil }
    /// Files do not name models.
    public func names(_ model: DeviceModel) -> Bool { false }
    /// A file that names no hardware fits every model of its kind.
    public func mismatch(with model: DeviceModel) -> Finding? { nil }

    /// Whether options of this type mean something for it.
    public func takes(_ type: (some VendorOptions).Type) -> Bool {
        optionTypes.contains { ObjectIdentifier($0) == ObjectIdentifier(type) }
    }
}
