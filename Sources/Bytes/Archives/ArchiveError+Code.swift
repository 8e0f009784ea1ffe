extension ArchiveError {
    /// A stable name in kebab-case for scripts and for `explain`.
    public var code: String {
        switch reason {
        case .empty: "file-empty"
        case .notAnArchive: "not-an-archive"
        case .endMissing: "archive-truncated"
        case .fileTooLarge, .tooManyEntries, .entryTooLarge, .contentsTooLarge: "archive-too-large"
        case .strayBytes: "archive-stray-bytes"
        case .severalDisks: "archive-split"
        case .headerDiffers: "entry-header-mismatch"
        case .overlaps: "entry-overlap"
        case .secondName: "entry-two-names"
        case .notAFile: "entry-not-a-file"
        case .unsafeName: "entry-name-unsafe"
        case .backslashName: "entry-name-backslash"
        case .duplicateName: "entry-duplicate"
        case .encrypted: "entry-encrypted"
        case .unsupportedMethod: "entry-method-unsupported"
        case .missing: "entry-missing"
        case .checksumWrong: "entry-crc-mismatch"
        case .directoryDamaged, .shorterThanDeclared, .longerThanDeclared, .unreadable: "archive-damaged"
        case .unwritable: "internal-error"
        }
    }
}
