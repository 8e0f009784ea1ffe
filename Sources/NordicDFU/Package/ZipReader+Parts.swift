import Archives

extension ZipReader {
    /// Opens the ZIP file of a package.
    init(package file: [UInt8], limits: ArchiveLimits) throws(PackageError) {
        do { try self.init(file, limits: limits) } catch { throw .archive(error) }
    }

    /// The content of an entry that a part names; it has to be there, and to have bytes.
    func contents(
        of name: String, for role: FirmwareRole, atMost limit: Int
    ) throws(PackageError) -> [UInt8] {
        guard entry(named: name) != nil else { throw .missingEntry(name, role: role) }
        let content: [UInt8]
        do { content = try contents(of: name, atMost: limit) } catch { throw .archive(error) }
        guard !content.isEmpty else { throw .emptyEntry(name, role: role) }
        return content
    }

    /// The names of all entries but the manifest and those that parts name, folders included.
    func ignoredEntries(besides named: [String]) -> [String] {
        let known = Set(named + [PackageManifest.fileName])
        return entries.map(\.name).filter { !known.contains($0) }
    }
}
