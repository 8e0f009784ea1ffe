import Bytes

extension JSONValue {
    /// The JSON text in the layout of Python's `json.dumps(indent=4, sort_keys=True)`, which both nrfutils use for
    /// manifests; `indent` is the indentation of its first line.
    func indented(_ indent: String = "") -> String {
        func block(_ open: String, _ lines: [String], _ close: String) -> String {
            lines.isEmpty
                ? open + close
                : "\(open)\n" + lines.map { "\(indent)    \($0)" }.joined(separator: ",\n")
                    + "\n\(indent)\(close)"
        }
        func quoted(_ text: String) -> String { Self.quoted(text) { $0.value > 0x7E } }
        switch self {
        case .text(let text): return quoted(text)
        case .list(let values): return block("[", values.map { $0.indented(indent + "    ") }, "]")
        case .object(let members):
            let lines = members.sorted { $0.key < $1.key }.map {
                "\(quoted($0.key)): \($0.value.indented(indent + "    "))"
            }
            return block("{", lines, "}")
        case .null, .bool, .number: return json
        }
    }
}

/// The text of a manifest, byte for byte as nrfutil writes it.
enum ManifestText {
    static func text(of parts: [BuiltPart]) -> String {
        var members: [String: JSONValue] = [:]
        for part in parts { members[part.role.rawValue] = node(part) }
        return JSONValue.object(["manifest": .object(members)]).indented()
    }

    private static func node(_ part: BuiltPart) -> JSONValue {
        var members: [String: JSONValue] = [
            "bin_file": .text(part.binFile), "dat_file": .text(part.datFile),
        ]
        members["info_read_only_metadata"] = part.sizes.map {
            .object(["bl_size": .integer($0.bootloader), "sd_size": .integer($0.softDevice)])
        }
        return .object(members)
    }
}

/// One part of a package, ready to be written.
struct BuiltPart {
    let role: FirmwareRole
    let binFile: String
    let datFile: String
    let image: [UInt8]
    let initPacket: [UInt8]
    /// Sizes that the manifest lists for a SoftDevice with a bootloader; informational only.
    let sizes: (bootloader: Int, softDevice: Int)?
}
