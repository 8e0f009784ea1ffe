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
