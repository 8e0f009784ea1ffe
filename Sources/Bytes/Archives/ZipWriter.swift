/// Creates a ZIP file in memory: the same entries in the same order always give the same bytes.
///
/// Entries are stored, dated 1980-01-01 00:00 (the earliest date of the format), and ordinary files readable by
/// everyone; there are no folders. The output stays within the default ``ArchiveLimits``.
public struct ZipWriter: Sendable {
    private var entries: [(name: String, bytes: [UInt8])] = []

    public init() {}

    /// Appends a file called `name`; the name may contain folders, separated by `/`, but not be one.
    public mutating func add(_ name: String, _ bytes: [UInt8]) throws(ArchiveError) {
        let limits = ArchiveLimits()
        guard EntryName.isSafe(name), !name.hasSuffix("/"), name.utf8.count <= 0xFFFF else {
            throw ArchiveError(.unsafeName, entry: name)
        }
        guard !entries.contains(where: { $0.name == name }) else {
            throw ArchiveError(.duplicateName, entry: name)
        }
        guard entries.count < limits.entries else {
            throw ArchiveError(.tooManyEntries(count: entries.count + 1, limit: limits.entries), entry: name)
        }
        guard bytes.count <= limits.entryBytes else {
            throw ArchiveError(
                .entryTooLarge(bytes: UInt64(bytes.count), limit: limits.entryBytes), entry: name)
        }
        let total = entries.reduce(bytes.count) { $0 + $1.bytes.count }
        guard total <= limits.totalBytes else {
            throw ArchiveError(.contentsTooLarge(bytes: UInt64(total), limit: limits.totalBytes), entry: name)
        }
        entries.append((name, bytes))
    }

    public func file() throws(ArchiveError) -> [UInt8] {
        // libzip writes nothing for an archive without entries, which consists of the end record alone.
        guard !entries.isEmpty else { return [0x50, 0x4B, 0x05, 0x06] + [UInt8](repeating: 0, count: 18) }
        let draft = try ZipDraft()
        for entry in entries { try draft.add(entry.name, entry.bytes) }
        let file = try draft.finished()
        let limit = ArchiveLimits().fileBytes
        guard file.count <= limit else { throw ArchiveError(.fileTooLarge(bytes: file.count, limit: limit)) }
        return file
    }
}
