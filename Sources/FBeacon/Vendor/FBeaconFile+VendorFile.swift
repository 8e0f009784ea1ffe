public import FirmwareModel
public import UpdateCore

extension FBeaconFile: VendorFile {
    /// What it is.
    public var kind: FirmwareKind { .fbeacon }
    /// How names of such files end.
    public var usualExtension: String { isEncrypted ? ".dfu" : ".fbu" }

    /// The options that mean something for it.
    public var optionTypes: [any VendorOptions.Type] { isEncrypted ? [] : [FBeaconPreferences.self] }
    /// The risks that can be taken with it.
    public var risks: Set<Risk> { isEncrypted ? [] : [.sameVersion, .lowerVersion] }

    /// Its model, or those that its number stands for.
    public var hardware: String? { models.isEmpty ? nil : models.joined(separator: " or ") }

    /// It in a few words.
    public var summary: PackageSummary {
        PackageSummary([
            PackageSummary.Part(
                "application", bytes: payload.count,
                version: FirmwareVersion(
                    "\(header.versionEnd)", at: Finding.Place(offset: 12, field: "versionEnd")),
                remarks: isEncrypted ? ["encrypted"] : [])
        ])
    }

    /// When it was built.
    public var built: BuildMoment? {
        records.lazy.compactMap(\.builtAt).first.map {
            BuildMoment($0, at: Finding.Place(field: "builtAt"), ordersReleases: false)
        }
    }

    /// What devices or people may object to.
    public func findings(_ options: UpdateOptions) -> [Finding] { findings() }

    /// Feasycom's names carry `BL_` and `APP_` with the header's numbers.
    public func findings(onName name: String) -> [Finding]? {
        let promises = [("BL_", Int(header.bootloader)), ("APP_", Int(header.versionEnd))]
        return promises.compactMap { (mark, value) -> Finding? in
            guard let number = Self.number(after: mark, in: name), number != value else { return nil }
            return Finding(
                "file-name-version", .error, "the name says \(mark)\(number), the header \(value)")
        }
    }

    private static func number(after mark: String, in name: String) -> Int? {
        let words = name.uppercased()
        guard let start = words.indices.first(where: { words[$0...].hasPrefix(mark) }) else { return nil }
        return Int(words[start...].dropFirst(mark.count).prefix(while: \.isNumber))
    }

    /// Whether the file itself names this model.
    public func names(_ model: DeviceModel) -> Bool {
        guard model.kind == kind else { return false }
        if let text = modelType { return model.name == text }
        return model.facts.number("number") == UInt32(header.modelNumber) && header.modelNumber != 0
    }

    /// A number that the model does not have.
    public func mismatch(with model: DeviceModel) -> Finding? {
        guard let wanted = model.facts.number("number"), header.modelNumber != 0, wanted != header.modelNumber
        else {
            return nil
        }
        return Finding(
            "catalogue-mismatch", .error, offset: 14, field: "modelTypeNum",
            "is \(header.modelNumber), and \(model.name) has \(wanted)")
    }

    /// What a device would answer to it.
    public func answers(of device: TargetDevice, _ options: UpdateOptions) -> [Answer] {
        FBeaconJudge(target: device).answers(to: self)
    }

    /// What installs it.
    public func plan(_ options: UpdateOptions) throws(PlanRefusal) -> UpdatePlan {
        if let error = findings().firstError { throw .file(error) }
        guard let container = OpenContainer(self) else { throw .notSent(because: hint) }
        var preferences = options[FBeaconPreferences.self]
        preferences.versionText = options.versionText
        preferences.risks = options.risks
        return UpdatePlan(
            FBeaconUpgrade(container, preferences), entry: nil, over: FBeaconService.uuid)
    }
}
