public import FirmwareModel
public import UpdateCore

extension LegacyPackage: VendorFile {
    /// What it is.
    public var kind: FirmwareKind { .nordicLegacy }
    /// How names of such files end.
    public var usualExtension: String { ".zip" }
    /// The options that mean something for it.
    public var optionTypes: [any VendorOptions.Type] { [NordicOptions.self] }
    /// The risks that can be taken with it.
    public var risks: Set<Risk> { [.sameVersion, .wrongFamily, .unchangedVersion] }

    /// The device types of its parts; FFFF stands for any.
    public var hardware: String? {
        let types = Set(parts.compactMap(\.initPacket?.deviceType)).subtracting([.max]).sorted()
        return types.isEmpty ? nil : types.map { "type \($0)" }.joined(separator: ", ")
    }

    /// It in a few words.
    public var summary: PackageSummary {
        PackageSummary(
            parts.map { part in
                PackageSummary.Part(
                    part.role.title, bytes: part.image.count, version: part.version,
                    remarks: ["Legacy DFU"], isApplication: part.role == .application)
            })
    }

    /// What devices and people will mind.
    public func findings(_ options: UpdateOptions) -> [Finding] {
        findings(key: options[NordicOptions.self].key)
    }

    /// What a release should wait for.
    public func releaseFindings(_ options: UpdateOptions, for device: TargetDevice?) -> [Finding] {
        ReleaseFindings(package: self, key: options[NordicOptions.self].key).all
    }

    /// What a device would answer to it.
    public func answers(of device: TargetDevice, _ options: UpdateOptions) -> [Answer] {
        LegacyJudge(target: NordicTarget(device)).answers(to: self)
    }

    /// What installs it.
    public func plan(_ options: UpdateOptions) throws(PlanRefusal) -> UpdatePlan {
        if let error = findings(options).firstError { throw .file(error) }
        guard let first = parts.first else { throw .file(.nothingToSend) }
        return UpdatePlan(
            PartSequence(first.update(options), parts.dropFirst().map { $0.update(options) }),
            entry: LegacyEntry(orButtonless: isAdafruit), over: LegacyService.uuid)
    }
}

extension LegacyPackage {
    /// Whether all of it is for Adafruit's bootloader, which some applications with Secure DFU's way out have.
    private var isAdafruit: Bool {
        parts.allSatisfy { $0.initPacket?.deviceType == AdafruitHardware.deviceType }
    }
}

extension LegacyPart {
    fileprivate func update(_ options: UpdateOptions) -> PartSequence.Part {
        (
            role.title,
            LegacyProcedure(
                LegacyImage(self), receiptInterval: options[NordicOptions.self].receiptInterval,
                versionText: options.versionText, allowing: options.risks)
        )
    }

    /// The version in the init packet; nil where it names none, which FFFFFFFF stands for.
    fileprivate var version: FirmwareVersion? {
        guard let version = initPacket?.applicationVersion, version != .max else { return nil }
        return FirmwareVersion("\(version)", at: Finding.Place(entry: datFile, field: "application_version"))
    }
}
