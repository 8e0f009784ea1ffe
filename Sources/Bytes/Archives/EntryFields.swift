/// The fields that an entry's own header and its directory record share.
///
/// From the flags on both have one layout: 0 u16 flags, 2 u16 method, 4 u32 time and date, 8 u32 CRC-32, 12 u32
/// compressed bytes, 16 u32 bytes, 20 u16 name bytes, 22 u16 extra bytes. If a size, or the header's offset in a
/// directory record, is 0xFFFFFFFF, the number is in the extra field 0x0001 (ZIP64; PKWARE APPNOTE 4.4, 4.5.3).
struct EntryFields: Equatable {
    let flags: UInt16
    let method: UInt16
    let crc: UInt32
    let compressedSize: UInt64
    let size: UInt64
    /// The offset of the entry's own header, from the directory record; 0 in the fields of that header.
    let headerOffset: UInt64
    /// Whether there is a ZIP64 field.
    let hasZIP64: Bool
    /// The names in Info-ZIP's Unicode path fields (0x7075), which some readers use for the entry.
    let otherNames: [[UInt8]]

    /// Reads the fields at `start`, with the extra fields in `extra`; nil if the extra fields are damaged.
    init?(in file: [UInt8], at start: Int, extra: Range<Int>, headerOffset: UInt64 = 0) {
        guard let blocks = Self.blocks(of: file, in: extra) else { return nil }
        flags = UInt16(truncatingIfNeeded: file.word(at: start, bytes: 2))
        method = UInt16(truncatingIfNeeded: file.word(at: start + 2, bytes: 2))
        crc = UInt32(truncatingIfNeeded: file.word(at: start + 8, bytes: 4))
        otherNames = blocks.filter { $0.id == 0x7075 }.map { Array($0.content.dropFirst(5)) }
        var zip64 = blocks.first { $0.id == 0x0001 }.map { ByteReader($0.content, startingAt: 0) }
        hasZIP64 = zip64 != nil
        func value(_ short: UInt64) throws(ByteError) -> UInt64 {
            guard short == 0xFFFF_FFFF else { return short }
            return try zip64?.integer("number") ?? short
        }
        do throws(ByteError) {
            size = try value(file.word(at: start + 16, bytes: 4))
            compressedSize = try value(file.word(at: start + 12, bytes: 4))
            self.headerOffset = try value(headerOffset)
        } catch { return nil }
    }

    /// Extra fields: u16 id, u16 bytes, content, repeated to the end; up to three zero bytes may be left for alignment.
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

/// The rules for names inside a package: relative, within the archive, and unambiguous.
enum EntryName {
    /// The records' names as text; throws for the first that is not acceptable.
    static func checked(_ records: [DirectoryScan.Record]) throws(ArchiveError) -> [String] {
        var seen: Set<String> = []
        var names: [String] = []
        for record in records {
            let name = withoutLeadingDot(String(decoding: record.name, as: UTF8.self))
            guard isSafe(name) else {
                let isWindows = isSafe(name.replacing("\\", with: "/"))
                throw ArchiveError(
                    isWindows ? .backslashName : .unsafeName, entry: name, offset: record.recordOffset)
            }
            guard seen.insert(name).inserted else {
                throw ArchiveError(.duplicateName, entry: name, offset: record.recordOffset)
            }
            names.append(name)
        }
        return names
    }

    static func isSafe(_ name: String) -> Bool {
        guard let first = name.utf8.first, first != UInt8(ascii: "/") else { return false }
        // Backslashes and drive letters are folders on other systems; a NUL ends a C string.
        guard !name.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\\") }) else { return false }
        guard name.utf8.dropFirst().first != UInt8(ascii: ":") else { return false }
        return !name.split(separator: "/").contains("..")
    }

    /// The name without a leading `./`, which some packers write and which has no meaning.
    static func withoutLeadingDot(_ name: String) -> String {
        var rest = name[...]
        while rest.hasPrefix("./"), rest.utf8.count > 2 { rest.removeFirst(2) }
        return String(rest)
    }
}
