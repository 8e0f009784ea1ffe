import ByteCoding
import DialogSUOTA

extension SUOTAImage {
    /// The members of `inspect --json`.
    var members: [String: JSONValue] {
        let common: [String: JSONValue] = [
            "header": .text(header.family.rawValue), "header_bytes": .integer(header.family.headerBytes),
            "payload_offset": .integer(header.payloadOffset), "payload_bytes": .integer(payload.count),
            "crc32": .text(HexText.digits(header.crc)), "crc_matches": .optional(crcMatches),
            "version": .text(header.version.text), "version_raw": .text(HexText.encode(header.version.bytes)),
            "timestamp": .text(WallTime.text(unix: header.timestamp)),
            "timestamp_unix": .integer(Int(header.timestamp)), "encrypted": .bool(header.isEncrypted),
            "xor": .text(HexText.digits(trailer)),
        ]
        return common.merging(particulars) { $1 }
    }

    private var particulars: [String: JSONValue] {
        switch header.particulars {
        case .da1458x(let validFlag, let imageID, let flags, _):
            [
                "valid_flag": .text(HexText.digits(validFlag)),
                "image_id": .text(HexText.digits(imageID)),
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

    private var sectionList: JSONValue {
        .list(
            sections.map {
                .object([
                    "type": .text(HexText.digits($0.type)), "name": .text($0.name),
                    "offset": .integer($0.offset), "bytes": .integer($0.content.count),
                ])
            })
    }

    /// Names and values for people.
    func rows(_ console: Console) -> [(String, TerminalText)] {
        let crc: TerminalText =
            switch crcMatches {
            case true?: console.paint("matches the payload", .green)
            case false?: console.paint("is not the payload's", .red)
            case nil: console.paint("cannot be checked: encrypted", .yellow)
            }
        let version = header.version.text
        return [
            (
                "header",
                "\(header.family.rawValue) (\(header.family.chips)), \(header.family.headerBytes) bytes"
            ),
            ("payload", "\(payload.count) bytes at \(header.payloadOffset)"),
            ("CRC-32", "\(HexText.digits(header.crc)), \(crc)"),
            ("version", version.isEmpty ? "not given" : TerminalText(version)),
            ("timestamp", "\(WallTime.text(unix: header.timestamp))"),
            ("encrypted", header.isEncrypted ? console.paint("yes", .yellow) : "no"),
            ("XOR trailer", "\(HexText.digits(trailer))"),
        ] + particularRows
    }

    private var particularRows: [(String, TerminalText)] {
        switch header.particulars {
        case .da1458x(let validFlag, let imageID, _, _):
            [
                ("valid flag", "\(HexText.digits(validFlag))"), ("image id", "\(HexText.digits(imageID))"),
            ]
        case .da1468x(let flags, _): [("flags", "\(HexText.digits(flags))")] + sectionRows
        case .da1469x: sectionRows
        }
    }

    private var sectionRows: [(String, TerminalText)] {
        sections.map { ("section", "\($0.name), \($0.content.count) bytes at \($0.offset)") }
    }
}
