import Bytes

struct BuiltPart {
    let role: FirmwareRole
    /// The name of its entries, without `.bin` and `.dat`.
    let name: String
    let image: [UInt8]
    let initPacket: [UInt8]
    /// The part's other members in the manifest, after the names of its entries.
    let notes: [String: JSONValue]

    var binFile: String { name + ".bin" }
    var datFile: String { name + ".dat" }

    static func sizes(softDevice: Int, bootloader: Int) -> [String: JSONValue] {
        ["bl_size": .integer(bootloader), "sd_size": .integer(softDevice)]
    }
}

package struct PackageEntry: Hashable, Sendable {
    package let name: String
    package let bytes: [UInt8]
}

extension [BuiltPart] {
    /// Image and init packet of each part, then the manifest as nrfutil writes it: sorted keys, four spaces for each
    /// level, no line end after the last brace. `dfuVersion` is that of a Legacy package. nrfutil's reader refuses
    /// unknown keys, so none are added.
    func entries(dfuVersion: String? = nil) -> [PackageEntry] {
        var entries: [PackageEntry] = []
        var members: [String: JSONValue] = [:]
        members["dfu_version"] = dfuVersion.map(JSONValue.number)
        for part in self {
            let files = ["bin_file": JSONValue.text(part.binFile), "dat_file": .text(part.datFile)]
            members[part.role.rawValue] = .object(files.merging(part.notes) { $1 })
            entries.append(PackageEntry(name: part.binFile, bytes: part.image))
            entries.append(PackageEntry(name: part.datFile, bytes: part.initPacket))
        }
        let manifest = JSONValue.object(["manifest": .object(members)]).indented()
        return entries + [PackageEntry(name: PackageManifest.fileName, bytes: [UInt8](manifest.utf8))]
    }
}
