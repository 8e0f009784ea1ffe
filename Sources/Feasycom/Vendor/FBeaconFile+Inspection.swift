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
