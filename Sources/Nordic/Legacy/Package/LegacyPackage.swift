package import Bytes
package import UpdateModel

/// A package of Nordic's Legacy DFU (nRF5 SDK 4.3 to 11, and Adafruit's bootloader): a ZIP file with images and init
/// packets, and a manifest except in the oldest packages.
///
/// Parsing throws if the structure is invalid. ``findings(key:)`` checks whether a bootloader would accept the content.
package struct LegacyPackage: Hashable, Sendable {
    package let manifest: PackageManifest?
    package let parts: [LegacyPart]
    package let ignoredEntries: [String]

    /// Without a manifest, parts are recognised by file names (`LegacyFiles`); if that fails, the manifest is missing.
    package init(parsing file: [UInt8], limits: ArchiveLimits = ArchiveLimits()) throws(PackageError) {
        let archive = try ZipReader(package: file, limits: limits)
        var parts: [LegacyPart] = []
        if archive.entry(named: PackageManifest.fileName) == nil, let found = LegacyFiles.byName(in: archive)
        {
            manifest = nil
            for files in found { parts.append(try LegacyPart(files, in: archive, limits: limits)) }
        } else {
            let manifest = try PackageManifest(in: archive)
            for part in manifest.parts {
                let files = LegacyFiles(role: part.role, binFiles: [part.binFile], datFile: part.datFile)
                parts.append(
                    try LegacyPart(
                        files, manifest: part, dfuVersion: manifest.dfuVersion, in: archive, limits: limits))
            }
            self.manifest = manifest
        }
        self.parts = parts
        ignoredEntries = archive.ignoredEntries(
            besides: parts.flatMap { $0.binFiles + ($0.datFile.map { [$0] } ?? []) })
    }

    package func findings(key: NordicPublicKey? = nil) -> [Finding] {
        parts.flatMap { $0.findings(key: key) } + combinationFindings
    }

    private var combinationFindings: [Finding] {
        guard parts.count > 1, let application = parts.last else { return [] }
        let words = "sent only after the system part, a reset and a new connection"
        return [application.note(.nordicFinding.partsSentApart, nil, in: application.binFile, words)]
    }
}

/// The files of a part. Without a manifest a part is recognised by these names, as in the phone libraries:
///
///     application.hex | application.bin                   with application.dat
///     softdevice.hex  | softdevice.bin                    with system.dat
///     bootloader.hex  | bootloader.bin                    with system.dat
///
/// SoftDevice and bootloader together form one image, in this order, and `system.dat` covers both. If there is a
/// `.hex`, the `.bin` is ignored. (Android-DFU-Library, `ArchiveInputStream.java`.)
struct LegacyFiles {
    let role: FirmwareRole
    /// The entries whose images follow each other in the part's image.
    let binFiles: [String]
    let datFile: String?

    /// Nil without an image or without any init packet: the names alone do not identify a package then.
    static func byName(in archive: borrowing ZipReader) -> [LegacyFiles]? {
        let names = Set(archive.entries.map(\.name))
        func image(_ name: String) -> String? { ["\(name).hex", "\(name).bin"].first(where: names.contains) }
        func packet(_ name: String) -> String? { names.contains("\(name).dat") ? "\(name).dat" : nil }

        var parts: [LegacyFiles] = []
        let system = [image("softdevice"), image("bootloader")]
        let systemFiles = system.compactMap(\.self)
        if !systemFiles.isEmpty {
            let role: FirmwareRole =
                systemFiles.count == 2 ? .softdeviceBootloader : system[0] == nil ? .bootloader : .softdevice
            parts.append(LegacyFiles(role: role, binFiles: systemFiles, datFile: packet("system")))
        }
        if let application = image("application") {
            parts.append(
                LegacyFiles(role: .application, binFiles: [application], datFile: packet("application")))
        }
        return parts.contains { $0.datFile != nil } ? parts : nil
    }
}
