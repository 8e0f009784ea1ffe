import Bytes

/// JSON in the layout of Python's `json.dumps(indent=4, sort_keys=True)`, which both nrfutils use for manifests.
indirect enum ManifestNode {
    case plain(String)
    case text(String)
    case list([ManifestNode])
    case object([String: ManifestNode])

    static func number(_ value: some BinaryInteger) -> ManifestNode { .plain("\(value)") }

    /// The formatted text; `indent` is the indentation of its first line.
    func json(indent: String = "") -> String {
        let inner = indent + "    "
        switch self {
        case .plain(let text): return text
        case .text(let text): return Self.quoted(text)
        case .list(let nodes): return Self.block("[", nodes.map { $0.json(indent: inner) }, "]", indent)
        case .object(let members):
            let lines = members.sorted { $0.key < $1.key }.map {
                "\(Self.quoted($0.key)): \($0.value.json(indent: inner))"
            }
            return Self.block("{", lines, "}", indent)
        }
    }

    private static func block(_ open: String, _ lines: [String], _ close: String, _ indent: String) -> String
    {
        guard !lines.isEmpty else { return open + close }
        return "\(open)\n" + lines.map { "\(indent)    \($0)" }.joined(separator: ",\n")
            + "\n\(indent)\(close)"
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for unit in text.utf16 {
            switch unit {
            case 0x22: result += "\\\""
            case 0x5C: result += "\\\\"
            case 0x08: result += "\\b"
            case 0x0C: result += "\\f"
            case 0x0A: result += "\\n"
            case 0x0D: result += "\\r"
            case 0x09: result += "\\t"
            case 0x20..<0x7F: result += String(UnicodeScalar(UInt8(unit)))
            default: result += "\\u" + HexText.digits(unit)
            }
        }
        return result + "\""
    }
}

/// The text of a manifest, byte for byte as nrfutil writes it.
enum ManifestText {
    static func text(of parts: [BuiltPart]) -> String {
        var members: [String: ManifestNode] = [:]
        for part in parts { members[part.role.rawValue] = node(part) }
        return ManifestNode.object(["manifest": .object(members)]).json()
    }

    private static func node(_ part: BuiltPart) -> ManifestNode {
        var members: [String: ManifestNode] = [
            "bin_file": .text(part.binFile), "dat_file": .text(part.datFile),
        ]
        members["info_read_only_metadata"] = part.sizes.map {
            .object(["bl_size": .number($0.bootloader), "sd_size": .number($0.softDevice)])
        }
        return .object(members)
    }
}

struct BuiltPart {
    let role: FirmwareRole
    let binFile: String
    let datFile: String
    let image: [UInt8]
    let initPacket: [UInt8]
    /// Sizes that the manifest lists for a SoftDevice with a bootloader; informational only.
    let sizes: (bootloader: Int, softDevice: Int)?
}
