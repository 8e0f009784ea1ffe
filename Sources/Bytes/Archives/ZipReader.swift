import CZip
import CZlib
import Glibc

/// Reads a ZIP file in memory, and refuses content that does not belong in a firmware package.
///
/// Opening checks the names and declared sizes of every entry against the limits; contents are
/// inflated one entry at a time, on demand.
public struct ZipReader: ~Copyable {
    /// The entries in the directory's order, folders included.
    public let entries: [ZipEntry]
    private let handle: ZipHandle

    public static var libraryVersion: String { String(cString: zip_libzip_version()) }

    /// With `checkingEnds` false, compressed contents are not inflated to see where they end. Use this to read one entry
    /// quickly and decide whether the file is worth opening with all checks.
    public init(
        _ file: [UInt8], limits: ArchiveLimits = ArchiveLimits(), checkingEnds: Bool = true
    ) throws(ArchiveError) {
        // libzip opens empty input as an archive without entries.
        guard !file.isEmpty else { throw ArchiveError(.empty) }
        guard file.count <= limits.fileBytes else {
            throw ArchiveError(.fileTooLarge(bytes: file.count, limit: limits.fileBytes))
        }
        let scan = try DirectoryScan(file, limit: limits.entries)
        let names = try EntryName.checked(scan.records)
        let layout = try EntryLayout(file, scan)
        let handle: ZipHandle
        do { handle = try ZipHandle(file) } catch {
            // If libzip refuses to open it after a successful walk, the directory is damaged.
            throw ArchiveError(error.reason, offset: scan.directoryOffset)
        }
        guard handle.entryCount == names.count else {
            throw ArchiveError(.directoryDamaged, offset: scan.directoryOffset)
        }
        let declared = try Self.declared(by: handle, names: names, at: scan.records, limits: limits)
        if checkingEnds {
            for (entry, content) in zip(declared, layout.contents) {
                try Self.checkEnd(of: entry, file[content])
            }
        }
        entries = declared
        self.handle = handle
    }

    /// Refuses an entry whose content does not end where the directory declares: readers that use the content alone
    /// would look for the next entry at its actual end.
    private static func checkEnd(
        of entry: ZipEntry, _ content: ArraySlice<UInt8>
    ) throws(ArchiveError) {
        let size = UInt64(entry.size)
        guard entry.method == .deflate else {
            if content.count < entry.size { throw entry.refusal(.shorterThanDeclared(bytes: size)) }
            if content.count > entry.size { throw entry.refusal(.longerThanDeclared(bytes: size)) }
            return
        }
        switch DeflateStream.ending(of: content, atMost: entry.size) {
        case .full: break
        case .early(let left):
            throw ArchiveError(.strayBytes(count: left), entry: entry.name, offset: content.endIndex - left)
        case .late: throw entry.refusal(.longerThanDeclared(bytes: size))
        case .damaged: throw entry.refusal(.unreadable("the compressed data is damaged"))
        }
    }

    public func entry(named name: String) -> ZipEntry? {
        let name = EntryName.withoutLeadingDot(name)
        return entries.first { $0.name == name }
    }

    /// The content of one entry, inflated and checked, unless it declares more than `limit` bytes.
    public func contents(of name: String, atMost limit: Int) throws(ArchiveError) -> [UInt8] {
        let plain = EntryName.withoutLeadingDot(name)
        guard let index = entries.firstIndex(where: { $0.name == plain }) else {
            throw ArchiveError(.missing, entry: name)
        }
        let entry = entries[index]
        guard entry.size <= limit else {
            throw ArchiveError(
                .entryTooLarge(bytes: UInt64(entry.size), limit: limit), entry: name, offset: entry.offset)
        }
        return try handle.contents(of: entry, at: index)
    }

    private static func declared(
        by handle: borrowing ZipHandle, names: [String], at records: [DirectoryScan.Record],
        limits: ArchiveLimits
    ) throws(ArchiveError) -> [ZipEntry] {
        var entries: [ZipEntry] = []
        var total: UInt64 = 0
        for (index, record) in records.enumerated() {
            let name = names[index]
            func refusal(_ reason: ArchiveError.Reason) -> ArchiveError {
                ArchiveError(reason, entry: name, offset: record.headerOffset)
            }
            guard let statistics = handle.statistics(at: index) else {
                throw refusal(.unreadable(handle.lastFailure))
            }
            guard statistics.encryption_method == UInt16(ZIP_EM_NONE) else { throw refusal(.encrypted) }
            let methods: [Int32: ZipEntry.Method] = [ZIP_CM_STORE: .stored, ZIP_CM_DEFLATE: .deflate]
            guard let method = methods[Int32(statistics.comp_method)] else {
                throw refusal(.unsupportedMethod(Int(statistics.comp_method)))
            }
            guard statistics.size <= UInt64(clamping: limits.entryBytes) else {
                throw refusal(.entryTooLarge(bytes: statistics.size, limit: limits.entryBytes))
            }
            total += statistics.size
            guard total <= UInt64(clamping: limits.totalBytes) else {
                throw refusal(.contentsTooLarge(bytes: total, limit: limits.totalBytes))
            }
            entries.append(
                ZipEntry(
                    name: name, size: Int(statistics.size),
                    compressedSize: Int(clamping: statistics.comp_size),
                    method: method, offset: record.headerOffset))
        }
        return entries
    }
}

/// The accepted sizes of a ZIP file. Declared sizes are compared before anything is allocated or inflated.
public struct ArchiveLimits: Hashable, Sendable {
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
        (self.fileBytes, self.entries) = (fileBytes, entries)
        (self.entryBytes, self.totalBytes) = (entryBytes, totalBytes)
    }
}

/// One entry of a ZIP file, as the directory declares it. Its content is not checked yet.
public struct ZipEntry: Hashable, Sendable {
    public enum Method: String, Hashable, Sendable {
        case stored, deflate
    }

    /// The name with its folders, separated by `/`.
    public let name: String
    /// Declared bytes of the content.
    public let size: Int
    /// Declared compressed bytes in the file.
    public let compressedSize: Int
    public let method: Method
    /// Bytes from the start of the file to the entry's own header, or to its directory record if the directory
    /// declares an offset outside the file.
    public let offset: Int

    public var isDirectory: Bool { name.hasSuffix("/") }

    func refusal(_ reason: ArchiveError.Reason) -> ArchiveError {
        ArchiveError(reason, entry: name, offset: offset)
    }
}

/// Owns an open libzip archive and the copy of the file it reads from.
struct ZipHandle: ~Copyable {
    let archive: OpaquePointer

    init(_ file: [UInt8]) throws(ArchiveError) {
        var failure = zip_error_t()
        zip_error_init(&failure)
        defer { zip_error_fini(&failure) }
        // libzip keeps pointers into the bytes, so they are copied; libzip frees the copy with the source.
        guard let copy = malloc(file.count) else { throw ArchiveError(.unreadable("out of memory")) }
        UnsafeMutableRawBufferPointer(start: copy, count: file.count).copyBytes(from: file)
        guard let source = zip_source_buffer_create(copy, UInt64(file.count), 1, &failure) else {
            free(copy)
            throw ArchiveError(.unreadable(Self.words(of: &failure)))
        }
        guard let archive = zip_open_from_source(source, ZIP_RDONLY, &failure) else {
            zip_source_free(source)
            throw ArchiveError(.unreadable(Self.words(of: &failure)))
        }
        self.archive = archive
    }

    deinit { zip_discard(archive) }

    var entryCount: Int { Int(zip_get_num_entries(archive, 0)) }

    func statistics(at index: Int) -> zip_stat_t? {
        var entry = zip_stat_t()
        let asked = UInt64(
            ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD)
        guard zip_stat_index(archive, UInt64(index), 0, &entry) == 0, entry.valid & asked == asked else {
            return nil
        }
        return entry
    }

    var lastFailure: String { Self.words(of: zip_get_error(archive)) }

    static func words(of failure: UnsafeMutablePointer<zip_error_t>?) -> String {
        guard let failure, let text = zip_error_strerror(failure) else { return "unknown error" }
        return String(cString: text)
    }

    /// Inflates one entry into exactly its declared size, which the caller has compared with its limits.
    func contents(of entry: ZipEntry, at index: Int) throws(ArchiveError) -> [UInt8] {
        guard let file = zip_fopen_index(archive, UInt64(index), 0) else {
            throw entry.refusal(.unreadable(lastFailure))
        }
        defer { zip_fclose(file) }
        var bytes = [UInt8](repeating: 0, count: entry.size)
        var filled = 0
        while filled < entry.size {
            let count = bytes.withUnsafeMutableBytes {
                zip_fread(file, $0.baseAddress?.advanced(by: filled), UInt64(entry.size - filled))
            }
            guard count >= 0 else { throw entry.refusal(Self.reason(for: file, declared: entry.size)) }
            guard count > 0 else { throw entry.refusal(.shorterThanDeclared(bytes: UInt64(entry.size))) }
            filled += Int(count)
        }
        // A wrong CRC is reported only by the read after the last byte.
        var beyond: UInt8 = 0
        let count = zip_fread(file, &beyond, 1)
        guard count >= 0 else { throw entry.refusal(Self.reason(for: file, declared: entry.size)) }
        guard count == 0 else { throw entry.refusal(.longerThanDeclared(bytes: UInt64(entry.size))) }
        return bytes
    }

    private static func reason(for file: OpaquePointer, declared size: Int) -> ArchiveError.Reason {
        let failure = zip_file_get_error(file)
        switch zip_error_code_zip(failure) {
        case ZIP_ER_CRC: return .checksumWrong
        case ZIP_ER_EOF: return .shorterThanDeclared(bytes: UInt64(size))
        default: return .unreadable(words(of: failure))
        }
    }
}

/// Checks that a deflate stream ends where its entry does.
enum DeflateStream {
    /// Where a stream ends.
    enum Ending: Equatable {
        /// With the last byte of its input.
        case full
        /// With this many bytes left, which readers that ignore sizes would read as the next record.
        case early(left: Int)
        /// Not within its input, or beyond the bytes that it may inflate to.
        case late
        /// At an invalid byte.
        case damaged
    }

    private static let pieceBytes = 64 << 10

    /// Inflates `stream` without keeping the output, up to a little more than `limit` bytes of it.
    static func ending(of stream: ArraySlice<UInt8>, atMost limit: Int) -> Ending {
        var state = z_stream()
        // Negative: raw deflate, without zlib's header.
        guard inflateInit2_(&state, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return .damaged
        }
        defer { inflateEnd(&state) }
        var piece = [UInt8](repeating: 0, count: pieceBytes)
        return stream.withUnsafeBytes { input in
            // zlib only reads from `next_in`.
            state.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
            state.avail_in = UInt32(clamping: input.count)
            var total = 0
            while true {
                let result = piece.withUnsafeMutableBufferPointer { output in
                    state.next_out = output.baseAddress
                    state.avail_out = UInt32(output.count)
                    return inflate(&state, Z_NO_FLUSH)
                }
                total += pieceBytes - Int(state.avail_out)
                switch result {
                case Z_STREAM_END: return state.avail_in == 0 ? .full : .early(left: Int(state.avail_in))
                case Z_OK where total <= limit: continue
                case Z_OK, Z_BUF_ERROR: return .late
                default: return .damaged
                }
            }
        }
    }
}
