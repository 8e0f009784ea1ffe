import Bytes

/// One part of a package, ready to be written.
struct BuiltPart {
    let role: FirmwareRole
    /// The name of its entries, without `.bin` and `.dat`.
    let name: String
    let image: [UInt8]
    let initPacket: [UInt8]
    /// What the manifest has beside the names of the entries.
    let notes: [String: JSONValue]

    var binFile: String { name + ".bin" }
    var datFile: String { name + ".dat" }

    static func sizes(softDevice: Int, bootloader: Int) -> [String: JSONValue] {
        ["bl_size": .integer(bootloader), "sd_size": .integer(softDevice)]
    }
}

/// An entry of a package's archive.
package struct PackageEntry: Hashable, Sendable {
    package let name: String
    package let bytes: [UInt8]
}

extension [BuiltPart] {
    /// Image and init packet of each part, then the manifest as nrfutil writes it: sorted keys, four spaces for each
    /// level, no line end after the last brace. `dfuVersion` is that of a Legacy package. nrfutil's reader refuses
    /// unknown keys, so none are added.
    func entries(dfuVersion: String? = nil) -> [PackageEntry] {
        var members: [String: JSONValue] = [:]
        members["dfu_version"] = dfuVersion.map(JSONValue.number)
        for part in self {
            let files: [String: JSONValue] = [
                "bin_file": .text(part.binFile), "dat_file": .text(part.datFile),
            ]
            members[part.role.rawValue] = .object(files.merging(part.notes) { $1 })
        }
        let manifest = JSONValue.object(["manifest": .object(members)]).indented()
        return flatMap { part in
            [
                PackageEntry(name: part.binFile, bytes: part.image),
                PackageEntry(name: part.datFile, bytes: part.initPacket),
            ]
        } + [PackageEntry(name: PackageManifest.fileName, bytes: [UInt8](manifest.utf8))]
    }
}

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
