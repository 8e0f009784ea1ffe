import CZip
import Glibc

/// Owns a libzip archive that is being written into memory.
struct ZipDraft: ~Copyable {
    /// The memory that the archive writes to, from which the written bytes are read at the end.
    private let target: OpaquePointer
    private let archive: OpaquePointer

    init() throws(ArchiveError) {
        var failure = zip_error_t()
        zip_error_init(&failure)
        defer { zip_error_fini(&failure) }
        guard let target = zip_source_buffer_create(nil, 0, 0, &failure) else {
            throw ArchiveError(.unwritable(ZipHandle.words(of: &failure)))
        }
        zip_source_keep(target)
        guard let archive = zip_open_from_source(target, ZIP_TRUNCATE, &failure) else {
            zip_source_free(target)
            zip_source_free(target)
            throw ArchiveError(.unwritable(ZipHandle.words(of: &failure)))
        }
        (self.target, self.archive) = (target, archive)
    }

    /// Discards a draft that was not finished; `finished` closes the archive itself.
    deinit {
        zip_discard(archive)
        zip_source_free(target)
    }

    borrowing func add(_ name: String, _ bytes: [UInt8]) throws(ArchiveError) {
        // libzip reads the bytes when the archive is closed, so they are copied; libzip frees the copy with the source.
        guard let copy = malloc(max(bytes.count, 1)) else {
            throw ArchiveError(.unwritable("out of memory"), entry: name)
        }
        UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyBytes(from: bytes)
        guard let source = zip_source_buffer(archive, copy, UInt64(bytes.count), 1) else {
            free(copy)
            throw refusal(of: name)
        }
        let index = zip_file_add(archive, name, source, zip_flags_t(ZIP_FL_ENC_UTF_8))
        guard index >= 0 else {
            zip_source_free(source)
            throw refusal(of: name)
        }
        let place = UInt64(index)
        let ordinaryFile = UInt32(S_IFREG | 0o644) << 16
        guard zip_set_file_compression(archive, place, ZIP_CM_STORE, 0) == 0,
            zip_file_set_external_attributes(archive, place, 0, UInt8(ZIP_OPSYS_UNIX), ordinaryFile) == 0
        else { throw refusal(of: name) }
    }

    consuming func finished() throws(ArchiveError) -> [UInt8] {
        guard zip_close(archive) == 0 else {
            let failure = refusal(of: nil)
            _ = consume self
            throw failure
        }
        let target = target
        discard self
        defer { zip_source_free(target) }
        var file = try Self.contents(of: target)
        guard Self.setDates(in: &file) else {
            throw ArchiveError(.unwritable("libzip wrote an unexpected layout"))
        }
        return file
    }

    /// Dates all entries 1980-01-01 00:00, in their headers and in the directory. libzip keeps a date as
    /// seconds and writes it in local time (`zip_file_set_dostime` too), so the bytes would depend on the
    /// current time zone. False if the layout is not that of a file without descriptors.
    private static func setDates(in file: inout [UInt8]) -> Bool {
        // Headers and records begin with a u32 signature; `lengths` are the offsets of the u16 lengths of the parts
        // that follow them.
        let header = (signature: UInt64(0x0403_4B50), date: 10, lengths: [26, 28], bytes: 30)
        let record = (signature: UInt64(0x0201_4B50), date: 12, lengths: [28, 30, 32], bytes: 46)
        var position = 0
        while position + header.bytes <= file.count {
            let signature = file.word(at: position, bytes: 4)
            guard signature == header.signature || signature == record.signature else { break }
            let (_, date, lengths, bytes) = signature == header.signature ? header : record
            guard position + bytes <= file.count else { return false }
            file.replaceSubrange(position + date..<position + date + 4, with: [0, 0, 1 << 5 | 1, 0])
            var length = bytes + lengths.reduce(0) { $0 + Int(file.word(at: position + $1, bytes: 2)) }
            if signature == header.signature { length += Int(file.word(at: position + 18, bytes: 4)) }
            position += length
        }
        return position + 4 <= file.count && file.word(at: position, bytes: 4) == 0x0605_4B50
    }

    private static func contents(of source: OpaquePointer) throws(ArchiveError) -> [UInt8] {
        func refusal() -> ArchiveError {
            ArchiveError(.unwritable(ZipHandle.words(of: zip_source_error(source))))
        }
        var statistics = zip_stat_t()
        guard zip_source_stat(source, &statistics) == 0, statistics.valid & UInt64(ZIP_STAT_SIZE) != 0,
            zip_source_open(source) == 0
        else { throw refusal() }
        defer { zip_source_close(source) }
        var bytes = [UInt8](repeating: 0, count: Int(clamping: statistics.size))
        let count = bytes.withUnsafeMutableBytes {
            zip_source_read(source, $0.baseAddress, UInt64($0.count))
        }
        guard count == Int64(bytes.count) else { throw refusal() }
        return bytes
    }

    private borrowing func refusal(of entry: String?) -> ArchiveError {
        ArchiveError(.unwritable(ZipHandle.words(of: zip_get_error(archive))), entry: entry)
    }
}
