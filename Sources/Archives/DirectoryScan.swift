/// A walk over the records of a ZIP file's directory before libzip sees it.
///
/// libzip builds all of its tables when it opens a file, cuts names at a NUL, and never says where an
/// entry lies. This walk allocates nothing that the file's size does not bound, and gives places to
/// errors. It reads names and positions only; sizes and methods are libzip's to tell.
///
/// End record (`PK 05 06`): 10 u16 entries, 12 u32 directory bytes, 16 u32 directory offset, 20 u16 comment
/// bytes. Directory record (`PK 01 02`): 28 u16 name bytes, 30 u16 extra bytes, 32 u16 comment bytes,
/// 42 u32 offset of the entry's header, 46 name. (PKWARE APPNOTE 4.3.12 to 4.3.16.)
struct DirectoryScan {
    struct Record: Equatable {
        let name: [UInt8]
        let recordOffset: Int
        /// Where the entry's own header is; the record's place where that would be outside of the file.
        let headerOffset: Int
    }

    private(set) var records: [Record] = []
    let directoryOffset: Int

    init(_ file: [UInt8], limit: Int) throws(ArchiveError) {
        let end = try Self.endRecord(of: file)
        let totals = try Self.totals(of: file, endingAt: end)
        guard totals.count <= UInt64(clamping: limit) else {
            throw ArchiveError(.tooManyEntries(count: Int(clamping: totals.count), limit: limit), offset: end)
        }
        guard totals.offset <= UInt64(end), totals.bytes <= UInt64(end) - totals.offset else {
            throw ArchiveError(.directoryDamaged, offset: end)
        }
        var position = Int(totals.offset)
        directoryOffset = position
        let stop = position + Int(totals.bytes)
        while position < stop {
            guard position + 46 <= stop, file.word(at: position, bytes: 4) == 0x0201_4B50 else {
                throw ArchiveError(.directoryDamaged, offset: position)
            }
            let name = position + 46..<position + 46 + Int(file.word(at: position + 28, bytes: 2))
            guard name.upperBound <= stop else { throw ArchiveError(.directoryDamaged, offset: position) }
            // The declared count may lie, so the records count too.
            guard records.count < limit else {
                throw ArchiveError(.tooManyEntries(count: records.count + 1, limit: limit), offset: position)
            }
            let header = Int(file.word(at: position + 42, bytes: 4))
            records.append(
                Record(
                    name: Array(file[name]), recordOffset: position,
                    headerOffset: header < file.count ? header : position))
            position = name.upperBound + Int(file.word(at: position + 30, bytes: 2))
            position += Int(file.word(at: records[records.count - 1].recordOffset + 32, bytes: 2))
        }
        guard position == stop, UInt64(records.count) == totals.count else {
            throw ArchiveError(.directoryDamaged, offset: end)
        }
    }

    /// The last end record whose comment fills the rest of the file, or else the last one.
    private static func endRecord(of file: [UInt8]) throws(ArchiveError) -> Int {
        var candidate: Int?
        var position = file.count - 22
        while position >= 0, position >= file.count - 22 - 0xFFFF {
            if file[position] == 0x50, file.word(at: position, bytes: 4) == 0x0605_4B50 {
                if position + 22 + Int(file.word(at: position + 20, bytes: 2)) == file.count {
                    return position
                }
                candidate = candidate ?? position
            }
            position -= 1
        }
        if let candidate { return candidate }
        let begins = file.starts(with: [0x50, 0x4B, 0x03, 0x04])
        throw ArchiveError(begins ? .endMissing : .notAnArchive, offset: begins ? file.count : nil)
    }

    private struct Totals {
        var count: UInt64
        var bytes: UInt64
        var offset: UInt64
    }

    /// What the end record declares, or where one of its fields is full, the ZIP64 record before it.
    private static func totals(of file: [UInt8], endingAt end: Int) throws(ArchiveError) -> Totals {
        let short = Totals(
            count: file.word(at: end + 10, bytes: 2), bytes: file.word(at: end + 12, bytes: 4),
            offset: file.word(at: end + 16, bytes: 4))
        let isFull = short.count == 0xFFFF || short.bytes == 0xFFFF_FFFF || short.offset == 0xFFFF_FFFF
        guard isFull, end >= 20, file.word(at: end - 20, bytes: 4) == 0x0706_4B50 else { return short }
        let place = file.word(at: end - 12, bytes: 8)
        guard end >= 76, place <= UInt64(end - 76), file.word(at: Int(place), bytes: 4) == 0x0606_4B50 else {
            throw ArchiveError(.directoryDamaged, offset: end - 20)
        }
        return Totals(
            count: file.word(at: Int(place) + 32, bytes: 8), bytes: file.word(at: Int(place) + 40, bytes: 8),
            offset: file.word(at: Int(place) + 48, bytes: 8))
    }
}

extension [UInt8] {
    /// The little-endian number at `position`; callers have checked that it lies within the file.
    fileprivate func word(at position: Int, bytes: Int) -> UInt64 {
        self[position..<position + bytes].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
