package import Bluetooth
import Bytes
package import UpdateModel

extension FBeaconFile {
    package var inspection: FileInspection {
        FileInspection(
            isEncrypted ? "Feasycom upgrade file" : "FBeacon open container", facts: members,
            sections: [FileInspection.Section(nil, rows)], endnotes: hint.map { ["hint: \($0)"] } ?? [])
    }

    /// The advice for a vendor's file, which cannot be sent; nil for an open container.
    var hint: String? { isEncrypted ? "encrypted by the vendor; flash it with the vendor's tool" : nil }

    private var members: [String: Fact] {
        var members = information
        members["container"] = .text(header.container == .vendor ? "vendor" : "open")
        members["bin_crc_matches"] = .optional(binCRCMatches)
        members["model_names"] = .list(modelNames.map(Fact.text))
        members["crc_matches"] = .flag(header.crcMatches)
        members["encrypted"] = .flag(isEncrypted)
        if let hint { members["hint"] = .text(hint) }
        if let open = header.openFields {
            members["container_version"] = .integer(Int(open.containerVersion))
            members["restore_defaults"] = .flag(open.flags & 1 != 0)
            members["body_crc32"] = .text(HexText.digits(open.bodyCRC))
            members["extension"] = .list(
                records.map {
                    .record([
                        "type": .integer(Int($0.kind.rawValue)), "name": .optional($0.kind.name),
                        "value": .text($0.shown),
                    ])
                })
        }
        return members
    }

    /// Exactly the fields that the vendor's SDK passes to an application for a file (fbeacon.md, Layout).
    var information: [String: Fact] {
        [
            "bootloader": .integer(Int(header.bootloader)), "bin_crc": .text(HexText.digits(header.binCRC)),
            "length": .integer(Int(header.length)),
            "version_range": .list([.integer(Int(header.versionStart)), .integer(Int(header.versionEnd))]),
            "model_type": .optional(modelType), "model_type_num": .integer(Int(header.modelNumber)),
            "upload_model": .integer(Int(header.uploadModel)), "crc": .text(HexText.digits(header.crc)),
        ]
    }

    private var rows: [FileInspection.Row] {
        let crc =
            header.crcMatches
            ? FactText("matches the header", .good) : FactText("does not match the header", .bad)
        let binCRC: FactText =
            switch binCRCMatches {
            case true?: FactText("matches the payload", .good)
            case false?: FactText("does not match the payload", .bad)
            case nil: "cannot be checked: encrypted"
            }
        return [
            .init("model", FactText(model)), .init("bootloader", "\(header.bootloader)"),
            .init("version", "\(header.versionEnd), over \(header.versionStart) and later"),
            .init("payload", "\(payload.count) bytes at \(payload.startIndex)"),
            .init("binCrc", FactText("\(HexText.digits(header.binCRC)), ") + binCRC),
            .init("uploadModel", "\(header.uploadModel)"),
            .init("header CRC", FactText("\(HexText.digits(header.crc)), ") + crc),
            .init("encrypted", isEncrypted ? FactText("yes", .doubtful) : "no"),
        ]
            + records.map {
                FileInspection.Row($0.kind.name ?? "record \($0.kind.rawValue)", FactText($0.shown))
            }
    }

    private var modelNames: [String] { ModelNumber(rawValue: header.modelNumber).names }
    var models: [String] { modelType.map { [$0] } ?? modelNames }
    private var model: String { "\(hardware ?? "unknown") (number \(header.modelNumber))" }
}

extension ExtensionRecord {
    fileprivate var shown: String { text ?? builtAt.map(UnixTime.text) ?? HexText.encode(value) }
}

extension ExtensionRecord.Kind {
    /// The name in the format's documentation; nil for unknown types.
    fileprivate var name: String? {
        switch self {
        case .modelType: "modelType"
        case .versionText: "versionText"
        case .note: "note"
        case .builtAt: "builtAt"
        case .payloadSHA256: "payloadSha256"
        default: nil
        }
    }
}

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

extension FirmwareKind { package static let fbeacon = FirmwareKind(rawValue: "fbeacon") }

package struct FeasycomVendor: Vendor {
    package init() {}

    package let name = "feasycom"
    package let kinds = [FirmwareKind.fbeacon]
    package var failureCodes: [any FailureCodeGroup] { [FailureCode.fbeacon] }
    /// Beacons on Dialog chips take SUOTA images.
    package var kindsTaken: [FirmwareKind] { kinds + [FirmwareKind(rawValue: "suota")] }
    package let fileExtensions = [".dfu", ".fbu"]
    package let characteristicNames = [FBeaconService.openMark.uuid: "FBeacon Open Mark"]
    package let wording = VendorWording(
        files: "Feasycom", risks: [.lowerVersion: "FBeacon"], recipes: [.fbeacon: "fbeacon"])
    package let options: [any VendorOptions.Type] = [FBeaconPreferences.self]
    package let targetKeys = [DeviceKey.number("bootloader")]
    package let modelKeys = [DeviceKey.number("number", upTo: UInt32(UInt16.max))]

    /// Only a device with the mark of open containers is offered the update.
    package func updates(offeredBy device: DeviceInventory) -> [OfferedUpdate] {
        device.offers(FBeaconService.openMark)
            ? [OfferedUpdate(.fbeacon, "FBeacon open container", .application, FBeaconService.uuid)] : []
    }

    package func recognise(_ file: [UInt8]) throws(FirmwareFileError) -> PackageFile? {
        do { return .firmware(try FBeaconFile(parsing: file)) } catch {
            if error == .notFBeacon { return nil }
            throw FirmwareFileError(error.code, "\(error)")
        }
    }

    package func lookalike(_ file: [UInt8]) -> String? {
        switch Array(file.prefix(2)) {
        case [0xDD, 0x07], [0x46, 0x42]:
            "begins like a Feasycom file, but has no end mark, or nothing after its header"
        default: nil
        }
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
