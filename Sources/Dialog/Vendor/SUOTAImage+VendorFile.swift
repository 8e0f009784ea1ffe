import Bytes
package import UpdateModel

extension SUOTAImage {
    package var inspection: FileInspection {
        FileInspection("Dialog SUOTA image", facts: facts, sections: [FileInspection.Section(nil, rows)])
    }

    private var facts: [String: Fact] {
        let common: [String: Fact] = [
            "header": .text(header.family.rawValue), "header_bytes": .integer(header.family.headerBytes),
            "payload_offset": .integer(header.payloadOffset), "payload_bytes": .integer(payload.count),
            "crc32": .text(HexText.digits(header.crc)), "crc_matches": .optional(crcMatches),
            "version": .text(header.version.text), "version_raw": .text(HexText.encode(header.version.bytes)),
            "timestamp": .text(UnixTime.text(header.timestamp)),
            "timestamp_unix": .integer(Int(header.timestamp)), "encrypted": .flag(header.isEncrypted),
            "xor": .text(HexText.digits(trailer)),
        ]
        return common.merging(particulars) { $1 }
    }

    private var particulars: [String: Fact] {
        switch header.particulars {
        case .da1458x(let validFlag, let imageID, let flags, _):
            [
                "valid_flag": .text(HexText.digits(validFlag)), "image_id": .text(HexText.digits(imageID)),
                "encryption": .integer(Int(flags)),
            ]
        case .da1468x(let flags, let execLocation):
            [
                "flags": .text(HexText.digits(flags)), "exec_location": .integer(Int(execLocation)),
                "sections": sectionList,
            ]
        case .da1469x(let vectorTable):
            ["pointer_to_ivt": .integer(Int(vectorTable)), "sections": sectionList]
        }
    }

    private var sectionList: Fact {
        .list(
            sections.map {
                .record([
                    "type": .text(HexText.digits($0.type)), "name": .text($0.name),
                    "offset": .integer($0.offset), "bytes": .integer($0.content.count),
                ])
            })
    }

    private typealias Row = FileInspection.Row

    @ListBuilder<Row> private var rows: [Row] {
        let crc: FactText =
            switch crcMatches {
            case true?: FactText("matches the payload", .good)
            case false?: FactText("does not match the payload", .bad)
            case nil: FactText("cannot be checked: encrypted", .doubtful)
            }
        let version = header.version.text
        let family = "\(header.family.rawValue) (\(header.family.chips))"
        Row("header", "\(family), \(header.family.headerBytes) bytes")
        Row("payload", "\(payload.count) bytes at \(header.payloadOffset)")
        Row("CRC-32", FactText("\(HexText.digits(header.crc)), ") + crc)
        Row("version", version.isEmpty ? "not given" : FactText(version))
        Row("timestamp", "\(UnixTime.text(header.timestamp))")
        Row("encrypted", header.isEncrypted ? FactText("yes", .doubtful) : "no")
        Row("XOR trailer", "\(HexText.digits(trailer))")
        switch header.particulars {
        case .da1458x(let validFlag, let imageID, _, _):
            Row("valid flag", "\(HexText.digits(validFlag))")
            Row("image id", "\(HexText.digits(imageID))")
        case .da1468x(let flags, _):
            Row("flags", "\(HexText.digits(flags))")
            sectionRows
        case .da1469x: sectionRows
        }
    }

    private var sectionRows: [Row] {
        sections.map { Row("section", "\($0.name), \($0.content.count) bytes at \($0.offset)") }
    }
}

extension SUOTAImage: VendorFile {
    package var kind: FirmwareKind { .suota }
    package var usualExtension: String { ".img" }
    package var optionTypes: [any VendorOptions.Type] { [SUOTAPreferences.self] }
    package var risks: Set<Risk> { [.sameVersion, .wrongFamily, .runningBank] }

    package var hardware: String? { header.family.rawValue }

    package var summary: PackageSummary {
        PackageSummary([
            PackageSummary.Part(
                header.family.chips, bytes: bytes.count,
                version: FirmwareVersion(
                    header.version.text, isText: header.version.isText,
                    at: Finding.Place(offset: header.family.versionOffset, field: "version")),
                remarks: header.isEncrypted ? ["encrypted"] : [])
        ])
    }

    package var built: BuildMoment? {
        BuildMoment(
            header.timestamp, at: Finding.Place(offset: header.family.timestampOffset, field: "timestamp"),
            ordersReleases: true)
    }

    /// The 16 version bytes and the timestamp that a DA1458x receiver compares; nil for others, which compare nothing.
    package var identity: ReleaseIdentity? {
        guard header.family == .da1458x else { return nil }
        return ReleaseIdentity(
            compared: header.version.bytes + header.timestamp.bytes(), field: "version and timestamp",
            program: header.crc)
    }

    package func findings(_ options: UpdateOptions) -> [Finding] { findings() }

    /// The findings about the vendor's layouts do not apply if the device's bank is known.
    package func releaseFindings(_ options: UpdateOptions, for device: TargetDevice?) -> [Finding] {
        let layouts: Set<FailureCode> = [
            .dialogFile.imageExceedsFlash, .dialogFile.imageExceedsSmallFlash, .dialogFile.imageFillsBank,
        ]
        return findings().filter { device?["bank"] == nil || !layouts.contains($0.code) }
    }

    package func mismatch(with model: DeviceModel) -> Finding? {
        guard let wanted = model.facts["header"], wanted != header.family.rawValue else { return nil }
        return Finding(
            .finding.catalogueMismatch, .error, offset: 0, field: "signature",
            "is that of \(header.family.rawValue), but \(model.name) has \(wanted)")
    }

    package func plan(_ options: UpdateOptions) throws(PlanRefusal) -> UpdatePlan {
        if let error = findings().firstError { throw .file(error) }
        var preferences = options[SUOTAPreferences.self]
        preferences.versionText = options.versionText
        preferences.risks = options.risks
        let procedure = SUOTAProcedure(self, preferences)
        do throws(UpdateFailure) { try procedure.check() } catch { throw .options(error) }
        return UpdatePlan(
            procedure, entry: nil, over: SUOTAService.uuid,
            advice: header.family == .da1458x ? Self.pinAdvice(preferences) : [])
    }

    /// A warning if no pins were given: a device does not report its memory's pins, but uses those that it is sent.
    private static func pinAdvice(_ preferences: SUOTAPreferences) -> [Finding] {
        guard !preferences.namesPins else { return [] }
        return [
            Finding(
                .suota.defaultPins, .warning,
                "no pins were given: using \(PinMap.vendorSPI), the wiring of the chip maker's own boards; a "
                    + "product with other wiring refuses with wrong-pins")
        ]
    }
}

/// Predicts the response of a SUOTA receiver to the first block and to the end (suota-image.md, Checks).
extension SUOTAImage {
    package func answers(of device: TargetDevice, _ options: UpdateOptions) -> [Answer] {
        [familyAnswer(device), sizeAnswer(device), sameImageAnswer(device), checksumAnswer]
    }

    private func familyAnswer(_ target: TargetDevice) -> Answer {
        guard let chip = target["chip"].flatMap(HeaderFamily.init(chip:)) else { return .needs("chip") }
        guard chip != header.family else { return .pass }
        return .refuse(
            id: .finding.wrongFamily, code: "12",
            "the image is for \(header.family.chips), the target is a \(chip.chips)")
    }

    private func sizeAnswer(_ target: TargetDevice) -> Answer {
        let size = Int(header.codeSize)
        guard size > 0 else { return .refuse(id: .file.emptyPayload, code: "13", "the code size is 0") }
        // Bytes of the device's bank, including the header of the image.
        let bank = target.number("bank").map { Int($0) }
        let (needed, limit): (Int, Int?) =
            switch header.family {
            case .da1458x: (size, bank.map { $0 - HeaderFamily.da1458x.headerBytes })
            case .da1468x: (header.payloadOffset + size, min(bank ?? .max, 236 << 10))
            case .da1469x: (header.payloadOffset + size, bank)
            }
        guard let limit else { return .needs("bank") }
        guard needed > limit else { return .pass }
        return .refuse(
            id: .device.insufficientSpace, code: "13", "\(needed) bytes are needed, the bank has \(limit)")
    }

    /// Only DA1458x receivers compare version and timestamp, and only with the image in the bank that they overwrite.
    private func sameImageAnswer(_ target: TargetDevice) -> Answer {
        guard header.family == .da1458x, target.version == header.version.text,
            target.number("timestamp") == header.timestamp
        else { return .pass }
        return .refuse(
            id: .finding.targetUpToDate, code: "15", "version and timestamp are those of the installed image")
    }

    private var checksumAnswer: Answer {
        guard crcMatches == false else { return .pass }
        return header.family == .da1458x
            ? .refuse(
                id: .device.imageCRCMismatch, code: nil,
                "the upload succeeds, but the bootloader starts the old image")
            : .refuse(id: .device.imageCRCMismatch, code: "04", "the CRC-32 check at the end fails")
    }
}
