public import UpdateModel

extension FBeaconFile: VendorFile {
    /// Always `fbeacon`.
    public var kind: FirmwareKind { .fbeacon }
    /// The file extension of such files.
    public var usualExtension: String { isEncrypted ? ".dfu" : ".fbu" }

    /// The options that apply to it.
    public var optionTypes: [any VendorOptions.Type] { isEncrypted ? [] : [FBeaconPreferences.self] }
    /// The risks that can be accepted for it.
    public var risks: Set<Risk> { isEncrypted ? [] : [.sameVersion, .lowerVersion] }

    /// Its model, or those with its number.
    public var hardware: String? { models.isEmpty ? nil : models.joined(separator: " or ") }

    /// Its summary.
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

    /// All findings.
    public func findings(_ options: UpdateOptions) -> [Finding] { findings() }

    /// Feasycom's file names contain `BL_` and `APP_` with the header's numbers.
    public func findings(onName name: String) -> [Finding]? {
        let promises = [("BL_", Int(header.bootloader)), ("APP_", Int(header.versionEnd))]
        return promises.compactMap { (mark, value) -> Finding? in
            guard let number = Self.number(after: mark, in: name), number != value else { return nil }
            return Finding(
                "file-name-version", .error, "the name says \(mark)\(number), but the header says \(value)")
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

    /// The finding if the model has another number.
    public func mismatch(with model: DeviceModel) -> Finding? {
        guard let wanted = model.facts.number("number"), header.modelNumber != 0, wanted != header.modelNumber
        else {
            return nil
        }
        return Finding(
            "catalogue-mismatch", .error, offset: 14, field: "modelTypeNum",
            "is \(header.modelNumber), but \(model.name) has \(wanted)")
    }

    /// How a device would answer it.
    public func answers(of device: TargetDevice, _ options: UpdateOptions) -> [Answer] {
        FBeaconTargetCheck(target: device).answers(to: self)
    }

    /// The plan that installs it.
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
