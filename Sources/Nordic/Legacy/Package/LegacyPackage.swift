public import Bytes
public import UpdateModel

/// A package of Nordic's Legacy DFU (nRF5 SDK 4.3 to 11, and Adafruit's bootloader): a ZIP file with images and init
/// packets, and a manifest except in the oldest packages.
///
/// Parsing throws if the structure is invalid. ``findings(key:)`` checks whether a bootloader would take the content.
public struct LegacyPackage: Hashable, Sendable {
    /// The parsed manifest; nil in a package without one.
    public let manifest: PackageManifest?
    /// The parts in sending order: the system part first, then, after a reset, the application.
    public let parts: [LegacyPart]
    /// Entries that belong to no part, including folders; they are not sent.
    public let ignoredEntries: [String]

    /// Reads a package from the bytes of its ZIP file.
    ///
    /// A package without a manifest is recognised by its file names (`LegacyFiles`); otherwise the error is that of a
    /// missing manifest.
    public init(parsing file: [UInt8], limits: ArchiveLimits = ArchiveLimits()) throws(PackageError) {
        let archive = try ZipReader(package: file, limits: limits)
        var parts: [LegacyPart] = []
        if archive.entry(named: PackageManifest.fileName) == nil, let files = LegacyFiles(in: archive) {
            manifest = nil
            for part in files.parts { parts.append(try LegacyPart(part, in: archive, limits: limits)) }
        } else {
            let manifest = try PackageManifest(in: archive)
            for part in manifest.parts {
                parts.append(
                    try LegacyPart(part, dfuVersion: manifest.dfuVersion, in: archive, limits: limits))
            }
            self.manifest = manifest
        }
        self.parts = parts
        ignoredEntries = archive.ignoredEntries(
            besides: parts.flatMap { $0.binFiles + ($0.datFile.map { [$0] } ?? []) })
    }

    /// The findings of all parts, in sending order. With `key`, signatures are verified as a bootloader with that key
    /// would do it.
    public func findings(key: NordicPublicKey? = nil) -> [Finding] {
        parts.flatMap { $0.findings(key: key) } + combinationFindings()
    }

    private func combinationFindings() -> [Finding] {
        guard parts.count > 1, let application = parts.last else { return [] }
        return [
            Finding(
                "parts-sent-apart", .note, Finding.Place(entry: application.binFile),
                "sent only after the system part, a reset and a new connection",
                part: application.role.rawValue)
        ]
    }
}
