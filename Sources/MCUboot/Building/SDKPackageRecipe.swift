package import Bytes

/// The contents of a package of the nRF Connect SDK: images, and a manifest that names image and slot of
/// each. The same recipe gives the same bytes (docs/formats/mcuboot.md, Package).
package struct SDKPackageRecipe: Sendable {
    package struct File: Sendable {
        package let name: String
        package let image: MCUbootImage
        /// The number of the image on the beacon.
        package let number: Int
        /// The image's slot, 0 or 1, that the file was linked for; nil if it runs from any.
        package let slot: Int?

        package init(_ name: String, _ image: MCUbootImage, number: Int = 0, slot: Int? = nil) {
            (self.name, self.image, self.number, self.slot) = (name, image, number, slot)
        }
    }

    package var files: [File]
    /// The name of the update, which people read; nil for none.
    package var name: String?
    package var board: String?
    package var soc: String?
    /// When the package was built, in seconds since 1970 in UTC.
    package var time: UInt32

    package init(_ files: [File], time: UInt32) { (self.files, self.time) = (files, time) }

    package func file() throws(ArchiveError) -> [UInt8] {
        var members: [String: JSONValue] = [
            "format-version": .integer(1), "time": .integer(time), "files": .list(files.map(entry)),
        ]
        members["name"] = name.map(JSONValue.text)
        var archive = ZipWriter()
        for file in files { try archive.add(file.name, file.image.bytes) }
        try archive.add(SDKManifest.fileName, Array(JSONValue.object(members).indented().utf8))
        return try archive.file()
    }

    /// An entry as the SDK's build system writes it: image and slot numbers are texts, and slots count over all images.
    private func entry(_ file: File) -> JSONValue {
        let first = 2 * file.number
        let version = JSONValue.text("\(file.image.header.version)")
        var members: [String: JSONValue] = [
            "file": .text(file.name), "size": .integer(file.image.bytes.count), "modtime": .integer(time),
            "type": .text("application"), "image_index": .text("\(file.number)"),
        ]
        members["board"] = board.map(JSONValue.text)
        members["soc"] = soc.map(JSONValue.text)
        if let slot = file.slot {
            members["slot"] = .text("\(first + slot)")
            members["version_MCUBOOT+XIP"] = version
        } else {
            // These are for recovery over a serial line, where slots are numbered from 1.
            members["slot_index_primary"] = .text("\(first + 1)")
            members["slot_index_secondary"] = .text("\(first + 2)")
            members["version_MCUBOOT"] = version
        }
        return .object(members)
    }
}
