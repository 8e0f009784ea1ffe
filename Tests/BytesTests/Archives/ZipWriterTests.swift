import Bytes
import Foundation
import TestSupport
import Testing

@Suite struct `A written ZIP file` {
    private let files: [(name: String, bytes: [UInt8])] = [
        ("blinker.bin", (0..<4100).map { UInt8($0 % 251) }), ("blinker.dat", [1, 2, 3]),
        ("folder/ä.txt", Array("text".utf8)), ("empty", []),
    ]

    private func written() throws -> [UInt8] {
        var writer = ZipWriter()
        for file in files { try writer.add(file.name, file.bytes) }
        return try writer.file()
    }

    @Test func `gives back what was put into it`() throws {
        let archive = try ZipReader(try written())
        #expect(archive.entries.map(\.name) == files.map(\.name))
        #expect(archive.entries.allSatisfy { $0.method == .stored && $0.size == $0.compressedSize })
        for file in files {
            #expect(try archive.contents(of: file.name, atMost: 4100) == file.bytes)
        }
    }

    @Test func `may have no entries at all`() throws {
        let archive = try ZipReader(try ZipWriter().file())
        #expect(archive.entries.isEmpty)
    }

    @Test func `is laid out without dates, descriptors or comments`() throws {
        var writer = ZipWriter()
        try writer.add("a", [0x61])
        // Local header, content, directory record, end record (PKWARE APPNOTE 4.3.7 to 4.3.16).
        let header: [UInt8] =
            [0, 0] + [0, 0] + [0, 0, 0x21, 0] + [0x43, 0xBE, 0xB7, 0xE8] + [1, 0, 0, 0, 1, 0, 0, 0]
            + [1, 0, 0, 0]
        let file = try writer.file()
        #expect(file.count == 30 + 2 + 47 + 22)
        #expect(Array(file.prefix(32)) == [0x50, 0x4B, 3, 4, 10, 0] + header + [0x61, 0x61])
        let record = Array(file.dropFirst(32).prefix(47))
        #expect(Array(record.prefix(4)) == [0x50, 0x4B, 1, 2])
        #expect(record[5] == 3)
        #expect(Array(record[6..<32]) == [10, 0] + Array(header.prefix(20)) + [1, 0, 0, 0])
        #expect(Array(record[32...]) == [0, 0, 0, 0, 0, 0, 0, 0, 0xA4, 0x81, 0, 0, 0, 0, 0x61])
        #expect(
            Array(file.suffix(22)) == [0x50, 0x4B, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0, 47, 0, 0, 0, 32]
                + [0, 0, 0, 0, 0])
    }

    @Test func `has the same bytes each time it is written`() throws {
        #expect(try written() == (try written()))
    }

    @Test(arguments: ["", "/etc/passwd", "../up", "a/../b", "folder/", "C:x", "back\\slash", "nul\0.bin"])
    func `takes no name that its reader would refuse`(_ name: String) {
        #expect(refusal(adding: [(name, [1])]) == ArchiveError(.unsafeName, entry: name))
    }

    @Test func `takes each name only once`() {
        #expect(
            refusal(adding: [("a", [1]), ("b", [1]), ("a", [2])])
                == ArchiveError(.duplicateName, entry: "a"))
    }

    @Test func `keeps to the limits of its reader`() {
        let many = (0..<257).map { ("\($0)", [UInt8]()) }
        #expect(
            refusal(adding: many) == ArchiveError(.tooManyEntries(count: 257, limit: 256), entry: "256"))
        let large = [UInt8](repeating: 0, count: 8 << 20)
        #expect(
            refusal(adding: [("a", large + [0])])
                == ArchiveError(.entryTooLarge(bytes: 8 << 20 + 1, limit: 8 << 20), entry: "a"))
        #expect(
            refusal(adding: [("a", large), ("b", large), ("c", [0])])
                == ArchiveError(.contentsTooLarge(bytes: 16 << 20 + 1, limit: 16 << 20), entry: "c"))
        #expect(
            refusal(adding: [("a", large), ("b", large)])
                == ArchiveError(.fileTooLarge(bytes: 16 << 20 + 2 * (31 + 47) + 22, limit: 16 << 20)))
    }

    @Test func `is read by Python with the same content`() throws {
        let script = """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1]) as z:
                assert z.testzip() is None
                for i in z.infolist():
                    print(i.filename, i.file_size, i.compress_type, *i.date_time, oct(i.external_attr >> 16),
                          i.create_system, i.flag_bits & ~0x800, len(i.extra), z.read(i)[:4].hex())
            """
        let run = try Tool.inFolder { folder in
            try Tool.run(["python3", "-c", script, try Tool.write(try written(), as: "file.zip", in: folder)])
        }
        #expect(run.status == 0)
        #expect(
            run.text.split(separator: "\n") == [
                "blinker.bin 4100 0 1980 1 1 0 0 0 0o100644 3 0 0 00010203",
                "blinker.dat 3 0 1980 1 1 0 0 0 0o100644 3 0 0 010203",
                "folder/ä.txt 4 0 1980 1 1 0 0 0 0o100644 3 0 0 74657874",
                "empty 0 0 1980 1 1 0 0 0 0o100644 3 0 0 ",
            ])
    }

    private func refusal(adding files: [(String, [UInt8])]) -> ArchiveError? {
        var writer = ZipWriter()
        do throws(ArchiveError) {
            for (name, bytes) in files { try writer.add(name, bytes) }
            _ = try writer.file()
            return nil
        } catch { return error }
    }
}
