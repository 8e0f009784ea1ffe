import ByteCoding

/// The text of a manifest, byte for byte as nrfutil writes it: Python's `json.dumps` with sorted keys and an
/// indentation of 4.
enum ManifestText {
    static func text(of parts: [BuiltPart]) -> String {
        let roles = parts.map { ($0.role.rawValue, object(members(of: $0), depth: 2)) }
        return object([("manifest", object(roles, depth: 1))], depth: 0)
    }

    private static func members(of part: BuiltPart) -> [(String, String)] {
        var members = [("bin_file", quoted(part.binFile)), ("dat_file", quoted(part.datFile))]
        if let sizes = part.sizes {
            let noted = [("bl_size", String(sizes.bootloader)), ("sd_size", String(sizes.softDevice))]
            members.append(("info_read_only_metadata", object(noted, depth: 3)))
        }
        return members
    }

    private static func object(_ members: [(String, String)], depth: Int) -> String {
        let margin = String(repeating: "    ", count: depth)
        let lines = members.sorted { $0.0 < $1.0 }.map { "\(margin)    \"\($0.0)\": \($0.1)" }
        return "{\n\(lines.joined(separator: ",\n"))\n\(margin)}"
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
