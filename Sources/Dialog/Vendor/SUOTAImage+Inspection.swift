import Bytes
public import UpdateModel

extension SUOTAImage {
    /// The full content.
    public var inspection: FileInspection {
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

    private var sectionList: Fact {
        .list(
            sections.map {
                .record([
                    "type": .text(HexText.digits($0.type)), "name": .text($0.name),
                    "offset": .integer($0.offset), "bytes": .integer($0.content.count),
                ])
            })
    }

    private var rows: [FileInspection.Row] {
        let crc: FactText =
            switch crcMatches {
            case true?: FactText("matches the payload", .good)
            case false?: FactText("does not match the payload", .bad)
            case nil: FactText("cannot be checked: encrypted", .doubtful)
            }
        let version = header.version.text
        return [
            .init(
                "header",
                "\(header.family.rawValue) (\(header.family.chips)), \(header.family.headerBytes) bytes"
            ),
            .init("payload", "\(payload.count) bytes at \(header.payloadOffset)"),
            .init("CRC-32", FactText("\(HexText.digits(header.crc)), ") + crc),
            .init("version", version.isEmpty ? "not given" : FactText(version)),
            .init("timestamp", "\(UnixTime.text(header.timestamp))"),
            .init("encrypted", header.isEncrypted ? FactText("yes", .doubtful) : "no"),
            .init("XOR trailer", "\(HexText.digits(trailer))"),
        ] + particularRows
    }

    private var particularRows: [FileInspection.Row] {
        switch header.particulars {
        case .da1458x(let validFlag, let imageID, _, _):
            [
                .init("valid flag", "\(HexText.digits(validFlag))"),
                .init("image id", "\(HexText.digits(imageID))"),
            ]
        case .da1468x(let flags, _): [FileInspection.Row("flags", "\(HexText.digits(flags))")] + sectionRows
        case .da1469x: sectionRows
        }
    }

    private var sectionRows: [FileInspection.Row] {
        sections.map {
            FileInspection.Row("section", "\($0.name), \($0.content.count) bytes at \($0.offset)")
        }
    }
}
