/// The fields that an entry's own header and its directory record share.
///
/// From the flags on both have one layout: 0 u16 flags, 2 u16 method, 4 u32 time and date, 8 u32 CRC-32, 12 u32
/// compressed bytes, 16 u32 bytes, 20 u16 name bytes, 22 u16 extra bytes. A size of FFFFFFFF is in the extra
/// field 0001 (ZIP64); likewise a directory record's offset of the header (PKWARE APPNOTE 4.4, 4.5.3).
struct EntryFields: Equatable {
    let flags: UInt16
    let method: UInt16
    let crc: UInt32
    let compressedSize: UInt64
    let size: UInt64
    /// The offset of the entry's header, in a directory record.
    let place: UInt64
    /// Whether there is a ZIP64 field.
    let isLong: Bool
    /// The names in Info-ZIP's Unicode path fields (7075), which some readers use for the entry.
    let otherNames: [[UInt8]]

    /// Reads the fields at `start`, with the extra fields in `extra`; nil if those are damaged.
    init?(in file: [UInt8], at start: Int, extra: Range<Int>, place: UInt64 = 0) {
        guard let blocks = Self.blocks(of: file, in: extra) else { return nil }
        flags = UInt16(truncatingIfNeeded: file.word(at: start, bytes: 2))
        method = UInt16(truncatingIfNeeded: file.word(at: start + 2, bytes: 2))
        crc = UInt32(truncatingIfNeeded: file.word(at: start + 8, bytes: 4))
        var long = blocks.first { $0.id == 0x0001 }?.content
        isLong = long != nil
        var isShort = false
        func value(_ short: UInt64) -> UInt64 {
            guard short == 0xFFFF_FFFF, var rest = long else { return short }
            guard rest.count >= 8 else {
                isShort = true
                return short
            }
            let number = Array(rest.prefix(8)).word(at: 0, bytes: 8)
            rest = rest.dropFirst(8)
            long = rest
            return number
        }
        size = value(file.word(at: start + 16, bytes: 4))
        compressedSize = value(file.word(at: start + 12, bytes: 4))
        self.place = value(place)
        otherNames = blocks.filter { $0.id == 0x7075 }.map { Array($0.content.dropFirst(5)) }
        if isShort { return nil }
    }

    /// Extra fields: u16 id, u16 bytes, content, repeated to the end; up to three zero bytes may be left for
    /// alignment.
    private static func blocks(
        of file: [UInt8], in extra: Range<Int>
    ) -> [(id: UInt64, content: ArraySlice<UInt8>)]? {
        var blocks: [(id: UInt64, content: ArraySlice<UInt8>)] = []
        var position = extra.lowerBound
        while position + 4 <= extra.upperBound {
            let end = position + 4 + Int(file.word(at: position + 2, bytes: 2))
            guard end <= extra.upperBound else { return nil }
            blocks.append((file.word(at: position, bytes: 2), file[position + 4..<end]))
            position = end
        }
        return file[position..<extra.upperBound].allSatisfy { $0 == 0 } ? blocks : nil
    }
}
