/// Why a ZIP file, or one entry of it, was refused: the reason, the entry and the offset.
public struct ArchiveError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Reason: Equatable, Sendable {
        case empty
        /// The bytes do not begin like a ZIP file and contain no directory.
        case notAnArchive
        /// The file begins like a ZIP file, but the directory at its end is missing.
        case endMissing
        /// The directory is malformed, or contradicts its own totals or what libzip finds.
        case directoryDamaged
        /// Bytes that belong to no entry and to no record.
        case strayBytes(count: Int)
        case severalDisks
        case headerDiffers(field: String)
        case overlaps
        /// The entry has a second name, in a Unicode name field.
        case secondName
        case notAFile
        case fileTooLarge(bytes: Int, limit: Int)
        case tooManyEntries(count: Int, limit: Int)
        case entryTooLarge(bytes: UInt64, limit: Int)
        /// All entries up to this one together declare more bytes than allowed.
        case contentsTooLarge(bytes: UInt64, limit: Int)
        /// The name is absolute, leads out of the folder, or is empty.
        case unsafeName
        case backslashName, duplicateName, encrypted
        case unsupportedMethod(Int)
        case missing
        case shorterThanDeclared(bytes: UInt64)
        case longerThanDeclared(bytes: UInt64)
        case checksumWrong
        /// libzip cannot read the entry's header or compressed data; its message.
        case unreadable(String)
        /// libzip cannot create the archive for lack of memory; its message.
        case unwritable(String)
    }

    public let reason: Reason
    /// The entry's name, if the error concerns an entry.
    public let entry: String?
    /// Bytes from the start of the file: to the entry's own header for errors in its content, to its directory
    /// record for errors in its name; nil where there is no offset.
    public let offset: Int?

    public init(_ reason: Reason, entry: String? = nil, offset: Int? = nil) {
        (self.reason, self.entry, self.offset) = (reason, entry, offset)
    }

    /// The error in words, without entry and offset.
    public var cause: String { reason.words }

    public var description: String {
        let name = entry.map { "entry \"\($0.printable)\"" } ?? "archive"
        return "\(name)\(offset.map { " at offset \($0)" } ?? ""): \(reason.words)"
    }
}

extension ArchiveError.Reason {
    fileprivate var words: String {
        switch self {
        case .empty: "the file is empty"
        case .notAnArchive: "not a ZIP file"
        case .endMissing: "the file is cut off; its directory is missing"
        case .directoryDamaged: "the directory is damaged"
        case .strayBytes(let count):
            "\(count) byte\(count == 1 ? "" : "s") belong to no entry; some readers could mistake them for one"
        case .severalDisks: "spans several disks"
        case .headerDiffers(let field):
            "its header and the directory differ in the \(field), so two readers could extract different packages"
        case .overlaps: "overlaps what follows it"
        case .secondName: "has a second name, which other programs use"
        case .notAFile: "is a link or a device, not a file"
        case .fileTooLarge(let bytes, let limit): "the file has \(bytes) bytes, at most \(limit) allowed"
        case .tooManyEntries(let count, let limit): "\(count) entries, at most \(limit) allowed"
        case .entryTooLarge(let bytes, let limit): "declares \(bytes) bytes, at most \(limit) allowed"
        case .contentsTooLarge(let bytes, let limit):
            "the entries declare \(bytes) bytes together, at most \(limit) allowed"
        case .unsafeName: "the name is not a safe relative file name"
        case .backslashName:
            "the name has a backslash (Windows style); ZIP files separate folders with /"
        case .duplicateName: "the name occurs twice"
        case .encrypted: "is encrypted"
        case .unsupportedMethod(let method):
            "is compressed by method \(method); only stored and deflate are supported"
        case .missing: "not found"
        case .shorterThanDeclared(let bytes): "ends before the \(bytes) bytes that it declares"
        case .longerThanDeclared(let bytes): "continues after the \(bytes) bytes that it declares"
        case .checksumWrong: "the content does not match its CRC-32"
        case .unreadable(let words): "cannot be read: \(words)"
        case .unwritable(let words): "cannot be created: \(words)"
        }
    }
}

extension String {
    /// The text with control characters shown as `\u{…}`, so that a name cannot control a terminal.
    fileprivate var printable: String {
        unicodeScalars.map { $0.value < 32 || $0.value == 127 ? $0.escaped(asASCII: true) : String($0) }
            .joined()
    }
}
