/// The end records of a ZIP file, which declare where its directory is.
///
/// End record (`PK 05 06`; offset, type and name of each field): 4 u16 disk, 6 u16 directory's disk, 8 u16 entries on
/// the disk, 10 u16 entries, 12 u32 directory bytes, 16 u32 directory offset, 20 u16 comment bytes, 22 comment. If a
/// field has its maximum value, its number is in a ZIP64 record (`PK 06 06`: 4 u64 bytes after this field, 16 u32
/// disk, 20 u32 directory's disk, 24 u64 entries on the disk, 32 u64 entries, 40 u64 directory bytes, 48 u64 directory
/// offset), and a locator (`PK 06 07`: 8 u64 offset of that record) is between both (PKWARE APPNOTE 4.3.14 to 4.3.16).
///
/// Readers look for the end record in different ways. This reader requires that the comment fills the rest of the file
/// and that the directory ends where the end records begin, so that all readers find the same directory.
struct DirectoryEnd {
    let count: UInt64
    let countOnDisk: UInt64
    let directory: Range<Int>
    let offset: Int

    private static let recordBytes = 22
    private static let locatorBytes = 20
    private static let longRecordBytes = 56

    init(of file: [UInt8]) throws(ArchiveError) {
        offset = try Self.lastRecord(of: file)
        let (totals, start) = try Self.totals(of: file, endingAt: offset)
        guard totals.disks == [0, 0] else { throw ArchiveError(.severalDisks, offset: offset) }
        guard totals.offset <= UInt64(start), totals.bytes <= UInt64(start) - totals.offset else {
            throw ArchiveError(.directoryDamaged, offset: offset)
        }
        directory = Int(totals.offset)..<Int(totals.offset + totals.bytes)
        guard directory.upperBound == start else {
            throw ArchiveError(.strayBytes(count: start - directory.upperBound), offset: directory.upperBound)
        }
        (count, countOnDisk) = (totals.count, totals.countOnDisk)
    }

    private static func lastRecord(of file: [UInt8]) throws(ArchiveError) -> Int {
        var position = file.count - recordBytes
        while position >= 0, position >= file.count - recordBytes - 0xFFFF {
            if file[position] == 0x50, file.word(at: position, bytes: 4) == 0x0605_4B50 {
                let end = position + recordBytes + Int(file.word(at: position + 20, bytes: 2))
                guard end <= file.count else { throw ArchiveError(.endMissing, offset: file.count) }
                guard end == file.count else {
                    throw ArchiveError(.strayBytes(count: file.count - end), offset: end)
                }
                return position
            }
            position -= 1
        }
        let begins = file.starts(with: [0x50, 0x4B, 0x03, 0x04])
        throw ArchiveError(begins ? .endMissing : .notAnArchive, offset: begins ? file.count : nil)
    }

    private struct Totals {
        var disks: [UInt64]
        var countOnDisk: UInt64
        var count: UInt64
        var bytes: UInt64
        var offset: UInt64

        /// Whether every field equals that of `long`, or refers to `long` by its maximum value.
        func agrees(with long: Totals) -> Bool {
            zip(disks + [countOnDisk, count], long.disks + [long.countOnDisk, long.count])
                .allSatisfy { $0 == $1 || $0 == 0xFFFF }
                && zip([bytes, offset], [long.bytes, long.offset])
                    .allSatisfy { $0 == $1 || $0 == 0xFFFF_FFFF }
        }
    }

    /// The declared totals, and the offset of the end records.
    private static func totals(
        of file: [UInt8], endingAt end: Int
    ) throws(ArchiveError) -> (Totals, start: Int) {
        let short = Totals(
            disks: [file.word(at: end + 4, bytes: 2), file.word(at: end + 6, bytes: 2)],
            countOnDisk: file.word(at: end + 8, bytes: 2), count: file.word(at: end + 10, bytes: 2),
            bytes: file.word(at: end + 12, bytes: 4), offset: file.word(at: end + 16, bytes: 4))
        let locator = end - locatorBytes
        // Some readers use the locator alone, so it has to be right even if no field has its maximum value.
        guard locator >= 0, file.word(at: locator, bytes: 4) == 0x0706_4B50 else { return (short, end) }
        let place = file.word(at: locator + 8, bytes: 8)
        guard locator >= longRecordBytes, place <= UInt64(locator - longRecordBytes),
            file.word(at: Int(place), bytes: 4) == 0x0606_4B50,
            file.word(at: Int(place) + 4, bytes: 8) == UInt64(locator) - place - 12
        else { throw ArchiveError(.directoryDamaged, offset: locator) }
        let start = Int(place)
        let long = Totals(
            disks: [file.word(at: start + 16, bytes: 4), file.word(at: start + 20, bytes: 4)],
            countOnDisk: file.word(at: start + 24, bytes: 8), count: file.word(at: start + 32, bytes: 8),
            bytes: file.word(at: start + 40, bytes: 8), offset: file.word(at: start + 48, bytes: 8))
        guard short.agrees(with: long) else { throw ArchiveError(.directoryDamaged, offset: end) }
        return (long, start)
    }
}

extension [UInt8] {
    /// The little-endian number at `position`; callers have checked that it lies within the file.
    func word(at position: Int, bytes: Int) -> UInt64 {
        self[position..<position + bytes].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
