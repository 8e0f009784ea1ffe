/// A walk over the records of a ZIP file's directory before libzip sees it.
///
/// libzip builds all of its tables when it opens a file, cuts names at a NUL, and never reports where an entry is. This
/// walk allocates no more than the file's size allows, and provides offsets for errors. Besides names and positions it
/// reads what ``EntryLayout`` needs; methods and sizes for inflating come from libzip.
///
/// Directory record (`PK 01 02`): 8 the fields of ``EntryFields``, 32 u16 comment bytes, 34 u16 disk, 38 u32 external
/// attributes, 42 u32 offset of the entry's header, 46 name, extra fields, comment (PKWARE APPNOTE 4.3.12).
struct DirectoryScan {
    struct Record: Equatable {
        let name: [UInt8]
        let recordOffset: Int
        /// The offset of the entry's own header; if that is outside the file, the offset of the record.
        let headerOffset: Int
        let fields: EntryFields
        let disk: Int
        let attributes: UInt32

        func refusal(_ reason: ArchiveError.Reason, at offset: Int? = nil) -> ArchiveError {
            ArchiveError(reason, entry: String(decoding: name, as: UTF8.self), offset: offset ?? recordOffset)
        }
    }

    private(set) var records: [Record] = []
    let directoryOffset: Int

    private static let recordBytes = 46

    init(_ file: [UInt8], limit: Int) throws(ArchiveError) {
        let end = try DirectoryEnd(of: file)
        guard end.count <= UInt64(clamping: limit) else {
            throw ArchiveError(
                .tooManyEntries(count: Int(clamping: end.count), limit: limit), offset: end.offset)
        }
        directoryOffset = end.directory.lowerBound
        var position = directoryOffset
        let stop = end.directory.upperBound
        while position < stop {
            // The declared count may be wrong, so the records are counted too.
            guard records.count < limit else {
                throw ArchiveError(.tooManyEntries(count: records.count + 1, limit: limit), offset: position)
            }
            let (record, next) = try Self.record(of: file, at: position, before: stop)
            records.append(record)
            position = next
        }
        let counted = UInt64(records.count)
        guard position == stop, end.count == counted, end.countOnDisk == counted else {
            throw ArchiveError(.directoryDamaged, offset: end.offset)
        }
    }

    private static func record(
        of file: [UInt8], at position: Int, before stop: Int
    ) throws(ArchiveError) -> (Record, next: Int) {
        guard position + recordBytes <= stop, file.word(at: position, bytes: 4) == 0x0201_4B50 else {
            throw ArchiveError(.directoryDamaged, offset: position)
        }
        let nameBytes = Int(file.word(at: position + 28, bytes: 2))
        let extraBytes = Int(file.word(at: position + 30, bytes: 2))
        let next =
            position + recordBytes + nameBytes + extraBytes + Int(file.word(at: position + 32, bytes: 2))
        guard next <= stop else { throw ArchiveError(.directoryDamaged, offset: position) }
        let extra = position + recordBytes + nameBytes..<position + recordBytes + nameBytes + extraBytes
        let headerOffset = file.word(at: position + 42, bytes: 4)
        guard let fields = EntryFields(in: file, at: position + 8, extra: extra, headerOffset: headerOffset)
        else {
            throw ArchiveError(.directoryDamaged, offset: extra.lowerBound)
        }
        let record = Record(
            name: Array(file[position + recordBytes..<extra.lowerBound]), recordOffset: position,
            headerOffset: fields.headerOffset < UInt64(file.count) ? Int(fields.headerOffset) : position,
            fields: fields,
            disk: Int(file.word(at: position + 34, bytes: 2)),
            attributes: UInt32(truncatingIfNeeded: file.word(at: position + 38, bytes: 4)))
        return (record, next)
    }
}
