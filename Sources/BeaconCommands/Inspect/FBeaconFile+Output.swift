import ByteCoding
import FBeacon

extension FBeaconFile {
    /// What it is, for people.
    var name: String {
        switch header.container {
        case .vendor: "Feasycom upgrade file"
        case .open: "FBeacon open container"
        }
    }

    /// What to do with it, where it cannot be used here.
    var hint: String? { isEncrypted ? "encrypted by the vendor; flash it with the vendor's tool" : nil }

    /// The members of `inspect --json`.
    var members: [String: JSONValue] {
        var members = information.members
        members["container"] = .text(header.container == .vendor ? "vendor" : "open")
        members["bin_crc_matches"] = .optional(binCRCMatches)
        members["model_names"] = .list(modelNames.map(JSONValue.text))
        members["crc_matches"] = .bool(header.crcMatches)
        members["encrypted"] = .bool(isEncrypted)
        if let hint { members["hint"] = .text(hint) }
        if let open = header.openFields {
            members["container_version"] = .integer(Int(open.containerVersion))
            members["restore_defaults"] = .bool(open.flags & 1 != 0)
            members["body_crc32"] = .text(HexText.digits(open.bodyCRC))
            members["extension"] = .list(
                records.map {
                    .object([
                        "type": .integer(Int($0.kind.rawValue)), "name": .optional($0.kind.name),
                        "value": .text($0.shown),
                    ])
                })
        }
        return members
    }

    /// Names and values for people.
    func rows(_ console: Console) -> [(String, TerminalText)] {
        let crc =
            header.crcMatches
            ? console.paint("matches the header", .green) : console.paint("is not the header's", .red)
        let binCRC: TerminalText =
            switch binCRCMatches {
            case true?: console.paint("matches the payload", .green)
            case false?: console.paint("is not the payload's", .red)
            case nil: "cannot be checked: encrypted"
            }
        return [
            ("model", TerminalText(model)), ("bootloader", "\(header.bootloader)"),
            ("version", "\(header.versionEnd), over \(header.versionStart) and later"),
            ("payload", "\(payload.count) bytes at \(payload.startIndex)"),
            ("binCrc", "\(HexText.digits(header.binCRC)), \(binCRC)"),
            ("uploadModel", "\(header.uploadModel)"),
            ("header CRC", "\(HexText.digits(header.crc)), \(crc)"),
            ("encrypted", isEncrypted ? console.paint("yes", .yellow) : "no"),
        ]
            + records.map {
                ($0.kind.name ?? "record \($0.kind.rawValue)", TerminalText($0.shown))
            }
    }

    private var modelNames: [String] { ModelNumber(rawValue: header.modelNumber).names }

    private var model: String {
        let named = modelType.map { [$0] } ?? modelNames
        return (named.isEmpty ? "unknown" : named.joined(separator: " or "))
            + " (number \(header.modelNumber))"
    }
}

extension FBeaconFile.Information {
    /// The members that are the vendor's fields.
    fileprivate var members: [String: JSONValue] {
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
        text ?? builtAt.map(WallTime.text(unix:)) ?? HexText.encode(value)
    }
}

extension ExtensionRecord.Kind {
    /// The name that the format's documentation has; nil for types that it has not.
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
