import Bytes

extension ZipReader {
    /// Opens the ZIP file of a package.
    init(package file: [UInt8], limits: ArchiveLimits) throws(PackageError) {
        do { try self.init(file, limits: limits) } catch { throw .archive(error) }
    }

    /// The content of an entry that a part names; it must exist and must not be empty.
    func contents(
        of name: String, for role: FirmwareRole, atMost limit: Int
    ) throws(PackageError) -> [UInt8] {
        guard entry(named: name) != nil else { throw .missingEntry(name, role: role) }
        let content: [UInt8]
        do { content = try contents(of: name, atMost: limit) } catch { throw .archive(error) }
        guard !content.isEmpty else { throw .emptyEntry(name, role: role) }
        return content
    }

    /// The content of the init packet's entry, which must not be the image.
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

    /// The names of all entries except the manifest and those that parts name, including folders.
    func ignoredEntries(besides named: [String]) -> [String] {
        let known = Set(named + [PackageManifest.fileName])
        return entries.map(\.name).filter { !known.contains($0) }
    }
}
