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

    /// libzip's record of the entry; nil if it has none.
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
}
