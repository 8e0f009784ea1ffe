import Bytes
import TestSupport

extension FuzzTarget {
    /// Whether a ZIP file has the same content for readers that begin at its end and for those that begin at its start.
    static let archives = [twoReaders]

    /// The first byte chooses a sample; every four that follow change it: the operation, the place, and the value.
    private static let twoReaders = FuzzTarget("zip-two-readers", seeds: { try changes() }) { input in
        let samples = try samples()
        var file = samples[Int(input.first ?? 0) % samples.count]
        let bytes = Array(input.dropFirst().prefix(4 * 16))
        for start in stride(from: 0, to: bytes.count - 3, by: 4) {
            let place = (Int(bytes[start + 1]) << 8 | Int(bytes[start + 2])) % max(1, file.count)
            change(&file, bytes[start], at: place, with: bytes[start + 3])
        }
        let entries: [ZipEntry]
        do throws(ArchiveError) { entries = try ZipReader(file).entries } catch { return }
        var place = 0
        for entry in entries.sorted(by: { $0.offset < $1.offset }) {
            let header = try LocalHeader(file, at: place)
            try demand(entry.offset == place, "\(entry.name) is not where the one before it ends")
            try demand(
                header.name == Array(entry.name.utf8), "\(header.name) is called \(entry.name) at the end")
            try demand(header.method == (entry.method == .stored ? 0 : 8), "another method of \(entry.name)")
            if !header.hasDescriptor || header.packed > 0 {
                try demand(header.packed == entry.compressedSize, "another length of \(entry.name)")
                try demand(header.size == entry.size, "another size of \(entry.name)")
            }
            place = header.end + entry.compressedSize
            if header.hasDescriptor { place += file[place...].starts(with: [0x50, 0x4B, 7, 8]) ? 16 : 12 }
        }
        try demand(
            entries.isEmpty || file[min(place, file.count)...].starts(with: [0x50, 0x4B, 1, 2]),
            "something between the last entry and the directory")
    }

    private static func change(_ file: inout [UInt8], _ action: UInt8, at place: Int, with value: UInt8) {
        guard file.indices.contains(place) else { return }
        switch action % 4 {
        case 0: file[place] = value
        case 1: file[place] ^= 1 << (value & 7)
        case 2: file.insert(value, at: place)
        default: file.remove(at: place)
        }
    }

    private static func samples() throws -> [[UInt8]] {
        var writer = ZipWriter()
        try writer.add("manifest.json", Array("{}".utf8))
        try writer.add("a/b.bin", [UInt8](repeating: 7, count: 50))
        return try [writer.file()]
            + ["tiny.zip", "descriptors.zip"].map { try Samples.bytes("nordic/\($0)") }
    }

    private static func changes() throws -> [[UInt8]] {
        // The fields of the first local header, a byte before it, and the first bytes after its content.
        try samples().indices.flatMap { sample in
            [4, 6, 8, 14, 18, 22, 26, 28, 30].map { [UInt8(sample), 0, 0, UInt8($0), 1] }
                + [
                    [UInt8(sample), 2, 0, 0, 0x50], [UInt8(sample), 2, 0, 45, 0],
                    [UInt8(sample), 3, 0, 46, 0],
                ]
        }
    }
}

/// The header before an entry's content (APPNOTE 6.3.10, 4.3.7), for a reader that begins at the start.
///
/// | offset | width | |
/// |---|---|---|
/// | 0 | 4 | `PK` 03 04 |
/// | 6 | 2 | flags; bit 3: CRC and sizes come after the content |
/// | 8 | 2 | method |
/// | 18 | 4 | length of the content in the file |
/// | 22 | 4 | its size |
/// | 26, 28 | 2 | lengths of name and extra field, which follow |
private struct LocalHeader {
    let hasDescriptor: Bool
    let method: Int
    let packed: Int
    let size: Int
    let name: [UInt8]
    /// The start of the content.
    let end: Int

    init(_ file: [UInt8], at start: Int) throws(Violation) {
        try demand(
            file.count >= start + 30 && file[start...].starts(with: [0x50, 0x4B, 3, 4]),
            "no header at \(start)")
        func number(_ offset: Int, _ width: Int) -> Int {
            (0..<width).reduce(0) { $0 | Int(file[start + offset + $1]) << (8 * $1) }
        }
        hasDescriptor = number(6, 2) & 8 != 0
        method = number(8, 2)
        packed = number(18, 4)
        size = number(22, 4)
        let nameEnd = start + 30 + number(26, 2)
        end = nameEnd + number(28, 2)
        try demand(end <= file.count, "a header beyond the file")
        name = Array(file[start + 30..<nameEnd])
    }
}
