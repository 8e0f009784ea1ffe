import Bytes
import FoundationEssentials

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

    /// The name of the manifest's entry, at the root of the archive.
    package static let fileName = "manifest.json"

    /// The parts in the order in which they are sent: the system part first, then the application.
    package let parts: [Part]
    /// The `dfu_version` of Legacy packages, and of some secure ones, too.
    package let dfuVersion: Double?

    package init(parsing json: [UInt8]) throws(PackageError) {
        try ManifestJSON.checkEncoding(of: json)
        let file: ManifestFile
        do { file = try JSONDecoder().decode(ManifestFile.self, from: Data(json)) } catch {
            throw PackageError(error as? DecodingError)
        }
        try ManifestJSON.checkKeys(of: json)
        guard let manifest = file.manifest else {
            if file.isMCUboot { throw .mcuboot }
            throw .manifestField("manifest", .missing)
        }
        let found = FirmwareRole.allCases.compactMap { role in manifest.part(role).map { (role, $0) } }
        guard !found.isEmpty else { throw .manifestWithoutParts }
        var parts: [Part] = []
        for (role, part) in found { parts.append(try Part(role, part)) }
        let system = parts.filter(\.role.isSystem)
        guard system.count <= 1 else { throw .conflictingParts(system.map(\.role)) }
        self.parts = parts
        dfuVersion = manifest.dfuVersion
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
    fileprivate init(_ role: FirmwareRole, _ part: ManifestFile.Part) throws(PackageError) {
        guard let binFile = part.binFile, !binFile.isEmpty else {
            throw .manifestField("manifest.\(role.rawValue).bin_file", .missing)
        }
        guard let datFile = part.datFile, !datFile.isEmpty else {
            throw .manifestField("manifest.\(role.rawValue).dat_file", .missing)
        }
        self.init(
            role: role, binFile: binFile, datFile: datFile,
            bootloaderSize: part.metadata?.bootloaderSize.flatMap(Int.init(exactly:)),
            softdeviceSize: part.metadata?.softdeviceSize.flatMap(Int.init(exactly:)),
            legacy: LegacyNotes(
                bootloaderSize: try Self.size(part.bootloaderSize, "manifest.\(role.rawValue).bl_size"),
                softdeviceSize: try Self.size(part.softdeviceSize, "manifest.\(role.rawValue).sd_size"),
                initPacketData: part.initPacketData?.values))
    }

    /// A size, which has to fit the 32 bits that devices use.
    private static func size(_ number: Double?, _ field: String) throws(PackageError) -> Int? {
        guard let number else { return nil }
        guard let size = UInt32(exactly: number) else { throw .manifestField(field, .wrongType) }
        return Int(size)
    }
}
