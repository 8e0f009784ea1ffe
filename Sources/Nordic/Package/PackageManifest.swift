import Bytes

/// `manifest.json`: the files of a package and their roles.
///
///     { "manifest": { "<role>": { "bin_file": …, "dat_file": …,
///                                 "info_read_only_metadata": { "bl_size": n, "sd_size": n } } } }
///
/// Roles are the keys of ``FirmwareRole``. Other keys are tolerated everywhere (nrfutil 6.1, `manifest.py`). Legacy
/// packages have the same form with ``LegacyNotes`` in each part.
package struct PackageManifest: Hashable, Sendable {
    package struct Part: Hashable, Sendable {
        package let role: FirmwareRole
        package let binFile: String
        package let datFile: String
        /// Bytes of the bootloader in the image, as the packager noted them; informational only.
        package let bootloaderSize: Int?
        /// Bytes of the SoftDevice in the image, as the packager noted them; informational only.
        package let softdeviceSize: Int?
        /// Notes that only packagers of Legacy packages write.
        package let legacy: LegacyNotes
    }

    package static let fileName = "manifest.json"

    /// The largest depth of nested values; real manifests have five levels.
    private static let deepest = 100

    /// The parts in the order in which they are sent: the system part first, then the application.
    package let parts: [Part]
    /// The member `dfu_version`, which Legacy packages and some secure ones have; nil if it is missing.
    package let dfuVersion: Double?

    package init(parsing json: [UInt8]) throws(PackageError) {
        try ManifestJSON.checkEncoding(of: json)
        guard let value = try? JSONValue(json: json, deepest: Self.deepest) else { throw .manifestNotJSON }
        try ManifestJSON.checkKeys(of: json)
        let file = try ManifestObject(value)
        guard let manifest = try file.object("manifest") else {
            // nRF Connect SDK packages list `files` instead of parts.
            guard file["files"] == nil, file["format-version"] == nil else { throw .mcuboot }
            throw .manifestField("manifest", .missing)
        }
        var parts: [Part] = []
        for role in FirmwareRole.allCases {
            if let part = try manifest.object(role.rawValue) { parts.append(try Part(role, part)) }
        }
        guard !parts.isEmpty else { throw .manifestWithoutParts }
        let system = parts.filter(\.role.isSystem)
        guard system.count <= 1 else { throw .conflictingParts(system.map(\.role)) }
        self.parts = parts
        dfuVersion = try manifest.number("dfu_version")
    }

    init(in archive: borrowing ZipReader) throws(PackageError) {
        guard archive.entry(named: Self.fileName) != nil else {
            let elsewhere = archive.entries.first {
                $0.name.hasSuffix("/" + Self.fileName) && !$0.name.hasPrefix("__MACOSX/")
            }
            throw .noManifest(elsewhere: elsewhere?.name)
        }
        let json: [UInt8]
        do { json = try archive.contents(of: Self.fileName, atMost: NordicPackage.manifestLimit) } catch {
            throw .archive(error)
        }
        try self.init(parsing: json)
    }
}

extension PackageManifest.Part {
    fileprivate init(_ role: FirmwareRole, _ part: ManifestObject) throws(PackageError) {
        let noted = try part.object("info_read_only_metadata")
        let bootloaderSize = try noted?.number("bl_size")
        let softdeviceSize = try noted?.number("sd_size")
        self.init(
            role: role, binFile: try Self.fileName(in: part, "bin_file"),
            datFile: try Self.fileName(in: part, "dat_file"),
            bootloaderSize: bootloaderSize.flatMap(Int.init(exactly:)),
            softdeviceSize: softdeviceSize.flatMap(Int.init(exactly:)),
            legacy: LegacyNotes(
                bootloaderSize: try Self.size(in: part, "bl_size"),
                softdeviceSize: try Self.size(in: part, "sd_size"),
                initPacketData: part["init_packet_data"].map(LegacyNotes.values)))
    }

    private static func fileName(in part: ManifestObject, _ name: String) throws(PackageError) -> String {
        guard let file = try part.member(name, \.text), !file.isEmpty else {
            throw .manifestField(part.field(name), .missing)
        }
        return file
    }

    /// A size in bytes, which has to fit the 32 bits that devices use; nil if it is missing.
    private static func size(in part: ManifestObject, _ name: String) throws(PackageError) -> Int? {
        try part.member(name) { value in value.number.flatMap(UInt32.init(exactly:)).map { Int($0) } }
    }
}
