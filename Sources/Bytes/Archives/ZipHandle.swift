import CZip
import Glibc

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
