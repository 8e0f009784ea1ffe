import Bytes
public import UpdateModel

extension FBeaconFile {
    /// The complete content.
    public var inspection: FileInspection {
        FileInspection(
            name, facts: members, sections: [FileInspection.Section(nil, rows)],
            endnotes: hint.map { ["hint: \($0)"] } ?? [])
    }

    /// The kind of file, for people.
    private var name: String {
        switch header.container {
        case .vendor: "Feasycom upgrade file"
        case .open: "FBeacon open container"
        }
    }

    /// The advice for a file that cannot be used here.
    var hint: String? { isEncrypted ? "encrypted by the vendor; flash it with the vendor's tool" : nil }

    private var members: [String: Fact] {
        var members = information.members
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

    /// The named models, or those with its number.
    var models: [String] { modelType.map { [$0] } ?? modelNames }

    private var model: String {
        (models.isEmpty ? "unknown" : models.joined(separator: " or ")) + " (number \(header.modelNumber))"
    }
}

extension FBeaconFile.Information {
    /// The members for the vendor's fields.
    fileprivate var members: [String: Fact] {
        [
            "bootloader": .integer(Int(bootloader)), "bin_crc": .text(HexText.digits(binCRC)),
            "length": .integer(Int(length)),
            "version_range": .list([.integer(Int(versionRange.start)), .integer(Int(versionRange.end))]),
            "model_type": .optional(modelType), "model_type_num": .integer(Int(modelTypeNum)),
            "upload_model": .integer(Int(uploadModel)), "crc": .text(HexText.digits(crc)),
        ]
    }
}

extension ExtensionRecord {
    /// The value as text, date or hexadecimal digits.
    fileprivate var shown: String {
        text ?? builtAt.map(UnixTime.text) ?? HexText.encode(value)
    }
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
