public import Archives

/// A package of Nordic's Secure DFU: a ZIP file with a manifest, images and init packets.
///
/// Reading throws when the structure is broken. Whether a bootloader would take what was read is a
/// matter of ``findings(key:)``: a package whose hash is wrong can still be shown, but not flashed.
public struct NordicPackage: Hashable, Sendable {
    /// What the manifest says.
    public let manifest: PackageManifest
    /// The parts in sending order: the system part first, then, after a reset, the application.
    public let parts: [NordicPart]
    /// Entries that the manifest does not name, folders included; they are not sent.
    public let ignoredEntries: [String]

    /// The largest manifest that is read, in bytes; real ones have a few hundred.
    public static let manifestLimit = 64 << 10
    /// The largest init packet that is read, in bytes; bootloaders take at most 512.
    public static let initPacketLimit = 64 << 10

    /// Reads a package from the bytes of its ZIP file.
    public init(parsing file: [UInt8], limits: ArchiveLimits = ArchiveLimits()) throws(PackageError) {
        do {
            try self.init(reading: try ZipReader(file, limits: limits), limits: limits)
        } catch let error as ArchiveError {
            throw .archive(error)
        } catch let error as PackageError {
            throw error
        } catch {
            throw .archive(ArchiveError(.unreadable("\(error)")))
        }
    }

    private init(reading archive: borrowing ZipReader, limits: ArchiveLimits) throws {
        guard archive.entry(named: PackageManifest.fileName) != nil else {
            let elsewhere = archive.entries.first {
                $0.name.hasSuffix("/" + PackageManifest.fileName) && !$0.name.hasPrefix("__MACOSX/")
            }
            throw PackageError.noManifest(elsewhere: elsewhere?.name)
        }
        manifest = try PackageManifest(
            parsing: try archive.contents(of: PackageManifest.fileName, atMost: Self.manifestLimit))
        var parts: [NordicPart] = []
        for part in manifest.parts {
            let packet = try Self.content(
                part.datFile, of: part.role, in: archive, atMost: Self.initPacketLimit)
            let initPacket = try Self.initPacket(packet, of: part, dfuVersion: manifest.dfuVersion)
            let image = try Self.content(part.binFile, of: part.role, in: archive, atMost: limits.entryBytes)
            parts.append(NordicPart(part, image: image, initPacket: initPacket))
        }
        self.parts = parts
        let named = Set(parts.flatMap { [$0.binFile, $0.datFile] } + [PackageManifest.fileName])
        ignoredEntries = archive.entries.map(\.name).filter { !named.contains($0) }
    }

    /// Bytes of all images together.
    public var imageBytes: Int { parts.reduce(0) { $0 + $1.image.count } }

    /// What is to be said about all parts, in sending order.
    public func findings(key: NordicPublicKey? = nil) -> [PackageFinding] {
        parts.flatMap { $0.findings(key: key) }
    }

    /// Refuses a package that every bootloader would refuse; this comes before the radio is touched.
    public func checkBeforeFlashing(key: NordicPublicKey? = nil) throws(PackageError) {
        if let error = findings(key: key).first(where: { $0.level == .error }) { throw .refused(error) }
    }

    private static func content(
        _ name: String, of role: FirmwareRole, in archive: borrowing ZipReader, atMost limit: Int
    ) throws -> [UInt8] {
        guard archive.entry(named: name) != nil else { throw PackageError.missingEntry(name, role: role) }
        let content = try archive.contents(of: name, atMost: limit)
        guard !content.isEmpty else { throw PackageError.emptyEntry(name, role: role) }
        return content
    }

    private static func initPacket(
        _ bytes: [UInt8], of part: PackageManifest.Part, dfuVersion: Double?
    ) throws(PackageError) -> InitPacket {
        do { return try InitPacket(parsing: bytes) } catch {
            // Only what does not parse as a secure packet can be a Legacy one: `dfu_version` occurs in both.
            if let dfuVersion { throw .legacy(evidence: "manifest.dfu_version \(dfuVersion)") }
            if LegacyInitLayout.fits(bytes) { throw .legacy(evidence: "the layout of \(part.datFile)") }
            throw .initPacket(error, entry: part.datFile)
        }
    }
}
