package import Bytes
package import UpdateModel

/// A package of Nordic's Secure DFU: a ZIP file with a manifest, images and init packets.
///
/// Parsing throws if the structure is invalid. ``findings(key:)`` checks whether a bootloader would accept the content:
/// a package with a wrong hash can be shown, but not flashed.
package struct NordicPackage: Hashable, Sendable {
    package let manifest: PackageManifest
    package let parts: [NordicPart]
    package let ignoredEntries: [String]

    /// The largest manifest that is read, in bytes; real ones have a few hundred bytes.
    static let manifestLimit = 64 << 10
    /// The largest init packet that is read, in bytes; bootloaders take at most 512.
    static let initPacketLimit = 64 << 10

    package init(parsing file: [UInt8], limits: ArchiveLimits = ArchiveLimits()) throws(PackageError) {
        let archive = try ZipReader(package: file, limits: limits)
        manifest = try PackageManifest(in: archive)
        var parts: [NordicPart] = []
        for part in manifest.parts {
            let packet = try archive.initPacket(
                of: part.datFile, besides: [part.binFile], for: part.role, atMost: Self.initPacketLimit)
            let image = try archive.contents(of: part.binFile, for: part.role, atMost: limits.entryBytes)
            let initPacket = try Self.initPacket(packet, of: part, image, dfuVersion: manifest.dfuVersion)
            parts.append(NordicPart(part, image: image, initPacket: initPacket))
        }
        self.parts = parts
        ignoredEntries = archive.ignoredEntries(besides: parts.flatMap { [$0.binFile, $0.datFile] })
    }

    private static func initPacket(
        _ bytes: [UInt8], of part: PackageManifest.Part, _ image: [UInt8], dfuVersion: Double?
    ) throws(PackageError) -> InitPacket {
        do { return try InitPacket(parsing: bytes) } catch {
            // The layout of the packet decides whether it is a Legacy package, because manifests of secure packages
            // may also have `LegacyNotes`. A packet of two bytes is legacy only if they are the CRC16 of the image.
            if let packet = try? LegacyInitPacket(parsing: bytes),
                !packet.isChecksumAlone || packet.end.crc16 == CRC16.checksum(image, from: 0xFFFF)
            {
                throw .legacy(evidence: "the layout of \(part.datFile)")
            }
            if part.legacy.initPacketData != nil {
                throw .legacy(evidence: "manifest.\(part.role.rawValue).init_packet_data")
            }
            let beginsSecurely = [0x0A, 0x12].contains(bytes.first)
            if let dfuVersion, !beginsSecurely {
                throw .legacy(evidence: "manifest.dfu_version \(dfuVersion)")
            }
            throw .initPacket(error, entry: part.datFile)
        }
    }

    package func findings(key: NordicPublicKey? = nil) -> [Finding] {
        parts.flatMap { $0.findings(key: key) + $0.softDeviceImageFindings } + successionFindings
    }

    /// Checks that the application accepts the SoftDevice that is installed before it. Otherwise a device accepts the
    /// first part, refuses the second, and is left without an application.
    private var successionFindings: [Finding] {
        guard let application = parts.first(where: { $0.role == .application }),
            let id = parts.lazy.compactMap(\.softDevice).first
        else { return [] }
        let list = application.initPacket.softDeviceRequirements
        guard let first = list.first, first != 0, !list.contains(id.id) else { return [] }
        let words = "does not list \(HexText.number(id.id)), the SoftDevice that is installed before it"
        return [application.error(.nordicFinding.softdeviceNotListed, "InitCommand.sd_req", words)]
    }
}

package struct NordicPart: PackagePart {
    package let role: FirmwareRole
    package let binFile: String
    package let datFile: String
    package let image: [UInt8]
    package let initPacket: InitPacket
    /// SHA-256 of ``image``.
    package let imageDigest: [UInt8]
    package let manifest: PackageManifest.Part

    init(_ part: PackageManifest.Part, image: [UInt8], initPacket: InitPacket) {
        (manifest, role, binFile, datFile) = (part, part.role, part.binFile, part.datFile)
        (self.image, self.initPacket) = (image, initPacket)
        imageDigest = SHA256Digest.digest(image)
    }

    package var packetFile: String { datFile }

    package var hashMatches: Bool {
        guard let hash = initPacket.hash, hash.type == ImageHash.sha256 else { return false }
        return hash.digest == imageDigest
    }

    /// Whether the type in the init packet fits the role in the manifest.
    package var roleMatches: Bool { initPacket.type.map(role.matches) ?? false }

    package var softDevice: SoftDeviceInformation? {
        role.carriesSoftDevice ? SoftDeviceInformation(in: image) : nil
    }
}

extension ZipReader {
    init(package file: [UInt8], limits: ArchiveLimits) throws(PackageError) {
        do { try self.init(file, limits: limits) } catch { throw .archive(error) }
    }

    /// The content of the entry `name`, which the manifest lists for `role`; it must exist and must not be empty.
    func contents(
        of name: String, for role: FirmwareRole, atMost limit: Int
    ) throws(PackageError) -> [UInt8] {
        guard entry(named: name) != nil else { throw .missingEntry(name, role: role) }
        let content: [UInt8]
        do { content = try contents(of: name, atMost: limit) } catch { throw .archive(error) }
        guard !content.isEmpty else { throw .emptyEntry(name, role: role) }
        return content
    }

    /// The content of the init packet's entry, which must not be one of `images`, nor have the same content.
    func initPacket(
        of name: String, besides images: [String], for role: FirmwareRole, atMost limit: Int
    ) throws(PackageError) -> [UInt8] {
        for image in images {
            guard let size = entry(named: name)?.size, size > 0, size == entry(named: image)?.size,
                let content = try? contents(of: name, atMost: size),
                name == image || (try? contents(of: image, atMost: size)) == content
            else { continue }
            throw .imageAsInitPacket(entry: name)
        }
        return try contents(of: name, for: role, atMost: limit)
    }

    /// The names of all entries, folders included, except the manifest and `named`, the entries that parts use.
    func ignoredEntries(besides named: [String]) -> [String] {
        let known = Set(named + [PackageManifest.fileName])
        return entries.map(\.name).filter { !known.contains($0) }
    }
}
