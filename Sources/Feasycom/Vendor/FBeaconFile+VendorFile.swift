package import UpdateModel

extension FBeaconFile: VendorFile {
    package var kind: FirmwareKind { .fbeacon }
    package var usualExtension: String { isEncrypted ? ".dfu" : ".fbu" }
    package var optionTypes: [any VendorOptions.Type] { isEncrypted ? [] : [FBeaconPreferences.self] }
    package var risks: Set<Risk> { isEncrypted ? [] : [.sameVersion, .lowerVersion] }
    package var hardware: String? { models.isEmpty ? nil : models.joined(separator: " or ") }

    package var summary: PackageSummary {
        PackageSummary([
            PackageSummary.Part(
                "application", bytes: payload.count,
                version: FirmwareVersion(
                    "\(header.versionEnd)", at: Finding.Place(offset: 12, field: "versionEnd")),
                remarks: isEncrypted ? ["encrypted"] : [])
        ])
    }

    package var built: BuildMoment? {
        records.lazy.compactMap(\.builtAt).first.map {
            BuildMoment($0, at: Finding.Place(field: "builtAt"), ordersReleases: false)
        }
    }

    package func findings(_ options: UpdateOptions) -> [Finding] { findings() }

    /// Feasycom's file names contain `BL_` and `APP_` with the header's numbers.
    package func findings(onName name: String) -> [Finding]? {
        let promises = [("BL_", Int(header.bootloader)), ("APP_", Int(header.versionEnd))]
        return promises.compactMap { (mark, value) -> Finding? in
            guard let number = Self.number(after: mark, in: name), number != value else { return nil }
            return Finding(
                .finding.fileNameVersion, .error,
                "the name says \(mark)\(number), but the header says \(value)")
        }
    }

    private static func number(after mark: String, in name: String) -> Int? {
        let words = name.uppercased()
        guard let start = words.indices.first(where: { words[$0...].hasPrefix(mark) }) else { return nil }
        return Int(words[start...].dropFirst(mark.count).prefix(while: \.isNumber))
    }

    package func names(_ model: DeviceModel) -> Bool {
        guard model.kind == kind else { return false }
        if let text = modelType { return model.name == text }
        return model.facts.number("number") == UInt32(header.modelNumber) && header.modelNumber != 0
    }

    package func mismatch(with model: DeviceModel) -> Finding? {
        guard let wanted = model.facts.number("number"), header.modelNumber != 0, wanted != header.modelNumber
        else { return nil }
        return Finding(
            .finding.catalogueMismatch, .error, offset: 14, field: "modelTypeNum",
            "is \(header.modelNumber), but \(model.name) has \(wanted)")
    }

    package func plan(_ options: UpdateOptions) throws(PlanRefusal) -> UpdatePlan {
        if let error = findings().firstError { throw .file(error) }
        guard let container = OpenContainer(self) else { throw .notSent(because: hint) }
        var preferences = options[FBeaconPreferences.self]
        preferences.versionText = options.versionText
        preferences.risks = options.risks
        return UpdatePlan(FBeaconUpgrade(container, preferences), entry: nil, over: FBeaconService.uuid)
    }
}

/// Predicts whether a target device accepts the file (fbeacon.md, Matching).
extension FBeaconFile {
    package func answers(of device: TargetDevice, _ options: UpdateOptions) -> [Answer] {
        [modelAnswer(device), bootloaderAnswer(device), versionAnswer(device)]
    }

    private func modelAnswer(_ target: TargetDevice) -> Answer {
        let number = header.modelNumber
        guard number != 0 || modelType != nil else { return .pass }
        guard let model = target.model else { return .needs("model") }
        if models.contains(where: { $0.lowercased() == model.lowercased() })
            || (number != 0 && model == String(number))
        {
            return .pass
        }
        let wanted = hardware ?? "model \(number)"
        return .refuse(
            id: .finding.wrongDevice, code: nil, "the file is for \(wanted), but the target is a \(model)")
    }

    private func bootloaderAnswer(_ target: TargetDevice) -> Answer {
        let required = UInt32(header.bootloader)
        guard header.container == .open, required > 0 else { return .pass }
        guard let bootloader = target.number("bootloader") else { return .needs("bootloader") }
        guard bootloader < required else { return .pass }
        return .refuse(
            id: .fbeacon.bootloaderVersionTooLow, code: nil,
            "bootloader \(required) is required, but the target has \(bootloader)")
    }

    private func versionAnswer(_ target: TargetDevice) -> Answer {
        guard let version = target.versionNumber.map({ Int($0) }) else { return target.versionAnswer }
        if version < Int(header.versionStart) {
            return .refuse(
                id: .finding.installedVersionTooLow, code: nil,
                "the file updates version \(header.versionStart) and later, but the target has \(version)")
        }
        guard version >= Int(header.versionEnd) else { return .pass }
        if version > Int(header.versionEnd) {
            return .refuse(
                id: .finding.downgrade, code: nil,
                "the target has version \(version), but the file installs \(header.versionEnd)")
        }
        return .refuse(
            id: .finding.targetUpToDate, code: nil,
            "the target already has version \(version); the file installs \(header.versionEnd)")
    }
}
