/// The accepted size of a ZIP file. Each limit is compared with what the file *declares*, before anything is
/// allocated or inflated.
public struct ArchiveLimits: Hashable, Sendable {
    /// Bytes of the ZIP file itself.
    public var fileBytes: Int
    /// Number of entries, folders included.
    public var entries: Int
    /// Declared bytes of one entry, inflated.
    public var entryBytes: Int
    /// Declared bytes of all entries together, inflated.
    public var totalBytes: Int

    /// The defaults are generous for firmware: the largest supported chip has 1 MiB of flash.
    public init(
        fileBytes: Int = 16 << 20, entries: Int = 256, entryBytes: Int = 8 << 20, totalBytes: Int = 16 << 20
    ) {
        self.fileBytes = fileBytes
        self.entries = entries
        self.entryBytes = entryBytes
        self.totalBytes = totalBytes
    }
}
