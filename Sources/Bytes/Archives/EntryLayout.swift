/// Checks that every reader of a ZIP file finds the same entries.
///
/// Some readers use the directory, as this program does; others read the entries' own headers in order, like
/// Java's `ZipInputStream` and the phone apps that use it. A file in which the two differ is two packages in
/// one. So each header has to match its directory record, and entries and directory have to follow each other
/// without a gap from the first byte on.
///
/// Local header (`PK 03 04`): 6 the fields of ``EntryFields``, 30 name, extra fields. If flag 3 is set, CRC and
/// both sizes may be 0, and a data descriptor after the content has them: an optional `PK 07 08`, u32 CRC-32,
/// compressed bytes, bytes, both u32, or u64 with ZIP64 (PKWARE APPNOTE 4.3.7, 4.3.9).
struct EntryLayout {
    private let file: [UInt8]
    private static let headerBytes = 30
    private static let descriptorFlag: UInt16 = 1 << 3
    /// Flags that change how the entry is read: encryption, descriptor, patches, strong encryption, names in
    /// UTF-8, masking.
    private static let relevantFlags: UInt16 = 1 << 0 | 1 << 3 | 1 << 5 | 1 << 6 | 1 << 11 | 1 << 13

    /// Where each record's content is in the file, in the order of the directory.
    private(set) var contents: [Range<Int>] = []

    init(_ file: [UInt8], _ scan: DirectoryScan) throws(ArchiveError) {
        self.file = file
        for record in scan.records { try Self.check(record, before: scan.directoryOffset) }
        var contents = [Range<Int>](repeating: 0..<0, count: scan.records.count)
        let order = scan.records.indices.sorted {
            scan.records[$0].headerOffset < scan.records[$1].headerOffset
        }
        var position = 0
        for (step, index) in order.enumerated() {
            let record = scan.records[index]
            if record.headerOffset > position {
                throw ArchiveError(.strayBytes(count: record.headerOffset - position), offset: position)
            }
            let next =
                step + 1 < order.count
                ? scan.records[order[step + 1]].headerOffset : scan.directoryOffset
            contents[index] = try content(of: record, before: next, scan.directoryOffset)
            position = next
        }
        if position < scan.directoryOffset {
            throw ArchiveError(.strayBytes(count: scan.directoryOffset - position), offset: position)
        }
        self.contents = contents
    }

    /// Refuses an entry whose header is not before the directory, or that is neither a file nor a folder.
    private static func check(
        _ record: DirectoryScan.Record, before directory: Int
    ) throws(ArchiveError) {
        guard record.headerOffset < directory else { throw record.refusal(.directoryDamaged) }
        guard record.disk == 0 else { throw record.refusal(.severalDisks) }
        let isFolder = record.name.last == UInt8(ascii: "/")
        // The upper half has the Unix mode, the lowest byte the MS-DOS attributes: 0x08 volume, 0x10 folder.
        switch record.attributes >> 28 {
        case 0, 0o10: break
        case 0o4 where isFolder: break
        default: throw record.refusal(.notAFile)
        }
        guard isFolder || record.attributes & 0x18 == 0 else { throw record.refusal(.notAFile) }
    }

    /// Compares an entry's own header with `record`, and returns the range of its content. Only a data descriptor may
    /// be between the content and `next`.
    private func content(
        of record: DirectoryScan.Record, before next: Int, _ directory: Int
    ) throws(ArchiveError) -> Range<Int> {
        let start = record.headerOffset
        func refusal(_ reason: ArchiveError.Reason, at offset: Int? = nil) -> ArchiveError {
            record.refusal(reason, at: offset ?? start)
        }
        guard start + Self.headerBytes <= directory, file.word(at: start, bytes: 4) == 0x0403_4B50 else {
            throw refusal(.headerDiffers(field: "signature"))
        }
        let nameEnd = start + Self.headerBytes + Int(file.word(at: start + 26, bytes: 2))
        let extraEnd = nameEnd + Int(file.word(at: start + 28, bytes: 2))
        guard extraEnd <= directory else { throw refusal(.headerDiffers(field: "length")) }
        guard file[start + Self.headerBytes..<nameEnd].elementsEqual(record.name) else {
            throw refusal(.headerDiffers(field: "name"))
        }
        guard let header = EntryFields(in: file, at: start + 6, extra: nameEnd..<extraEnd) else {
            throw refusal(.headerDiffers(field: "extra field"), at: nameEnd)
        }
        guard (header.otherNames + record.fields.otherNames).allSatisfy({ $0 == record.name }) else {
            throw refusal(.secondName)
        }
        if let field = Self.difference(between: header, and: record) {
            throw refusal(.headerDiffers(field: field))
        }
        guard record.fields.compressedSize <= UInt64(directory - extraEnd) else { throw refusal(.overlaps) }
        let content = extraEnd..<extraEnd + Int(record.fields.compressedSize)
        guard content.upperBound <= next else { throw refusal(.overlaps) }
        if header.flags & Self.descriptorFlag != 0 {
            guard isDescriptor(content.upperBound..<next, of: record.fields, hasZIP64: header.hasZIP64) else {
                throw refusal(.headerDiffers(field: "data descriptor"), at: content.upperBound)
            }
        } else if content.upperBound < next {
            throw ArchiveError(.strayBytes(count: next - content.upperBound), offset: content.upperBound)
        }
        return content
    }

    /// The first field in which the header contradicts the record; nil if there is none.
    private static func difference(
        between header: EntryFields, and record: DirectoryScan.Record
    ) -> String? {
        let listed = record.fields
        // For a name in ASCII, the flag for UTF-8 makes no difference.
        let isPlain = record.name.allSatisfy { $0 < 0x80 }
        let relevant = isPlain ? relevantFlags & ~(1 << 11) : relevantFlags
        guard (header.flags ^ listed.flags) & relevant == 0 else { return "flags" }
        guard header.method == listed.method else { return "method" }
        let isLater = header.flags & descriptorFlag != 0
        guard header.crc == listed.crc || isLater && header.crc == 0 else { return "CRC-32" }
        let isUnknown = isLater && header.compressedSize == 0
        guard header.compressedSize == listed.compressedSize || isUnknown else { return "compressed size" }
        guard header.size == listed.size || isUnknown && header.size == 0 else { return "size" }
        return nil
    }

    private func isDescriptor(_ place: Range<Int>, of fields: EntryFields, hasZIP64: Bool) -> Bool {
        let width = place.count > 16 ? 8 : 4
        var position = place.lowerBound
        guard [12, 16].contains(place.count) || hasZIP64 && [20, 24].contains(place.count) else {
            return false
        }
        if place.count == 8 + 2 * width {
            guard file.word(at: position, bytes: 4) == 0x0807_4B50 else { return false }
            position += 4
        }
        return file.word(at: position, bytes: 4) == UInt64(fields.crc)
            && file.word(at: position + 4, bytes: width) == fields.compressedSize
            && file.word(at: position + 4 + width, bytes: width) == fields.size
    }
}
