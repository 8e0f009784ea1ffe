import Bytes
import TestSupport
import Testing

@Suite struct `A ZIP file` {
    @Test func `is listed without inflating anything`() throws {
        let archive = try ZipReader(try Samples.bytes("nordic/deflated.zip"))
        #expect(
            archive.entries.map(\.name) == [
                "blinker.bin", "blinker.dat", "manifest.json", "__MACOSX/", "__MACOSX/._blinker.bin",
                ".DS_Store",
            ])
        #expect(archive.entries.map(\.size) == [12288, 140, 139, 0, 12, 19])
        #expect(archive.entries.map(\.method) == [.deflate, .deflate, .deflate, .stored, .deflate, .stored])
        #expect(archive.entries[0].compressedSize == 8616)
        #expect(archive.entries[0].offset == 0)
        #expect(archive.entries[1].offset == 30 + 11 + 8616)
        #expect(archive.entries.map(\.isDirectory) == [false, false, false, true, false, false])
    }

    @Test func `gives the same content whether stored or deflated`() throws {
        let stored = try ZipReader(try Samples.bytes("nordic/blinker-1.0.0.zip"))
        let deflated = try ZipReader(try Samples.bytes("nordic/deflated.zip"))
        let image = try stored.contents(of: "blinker.bin", atMost: 12288)
        #expect(try deflated.contents(of: "blinker.bin", atMost: 12288) == image)
        #expect(image.count == 12288)
        #expect(try deflated.contents(of: "__MACOSX/", atMost: 0) == [])
    }

    @Test func `gives no entry that is larger than the limit of the caller`() throws {
        let archive = try ZipReader(try Samples.bytes("nordic/tiny.zip"))
        let expected = ArchiveError(.entryTooLarge(bytes: 64, limit: 63), entry: "blinker.bin", offset: 0)
        do throws(ArchiveError) {
            _ = try archive.contents(of: "blinker.bin", atMost: 63)
            Issue.record("accepted")
        } catch { #expect(error == expected) }
    }

    @Test func `names an entry that does not exist`() throws {
        let archive = try ZipReader(try Samples.bytes("nordic/tiny.zip"))
        do throws(ArchiveError) {
            _ = try archive.contents(of: "BLINKER.BIN", atMost: 64)
            Issue.record("accepted")
        } catch { #expect(error == ArchiveError(.missing, entry: "BLINKER.BIN")) }
    }

    @Test func `is not found in empty input or other bytes`() {
        #expect(refusal(of: []) == ArchiveError(.empty))
        #expect(refusal(of: [0x50]) == ArchiveError(.notAnArchive))
        #expect(refusal(of: [UInt8](repeating: 0, count: 70_000)) == ArchiveError(.notAnArchive))
        #expect(refusal(of: Array("PK\u{3}\u{4}".utf8)) == ArchiveError(.endMissing, offset: 4))
    }

    @Test func `has names without a leading ./`() throws {
        var writer = ZipWriter()
        for name in ["./manifest.json", "././a/./b", "..a"] { try writer.add(name, Array(name.utf8)) }
        let archive = try ZipReader(try writer.file())
        #expect(archive.entries.map(\.name) == ["manifest.json", "a/./b", "..a"])
        #expect(try archive.contents(of: "manifest.json", atMost: 99) == Array("./manifest.json".utf8))
        var twice = ZipWriter()
        for name in ["a", "./a"] { try twice.add(name, [1]) }
        let file = try twice.file()
        #expect(refusal(of: file)?.reason == .duplicateName)
        var escaping = ZipWriter()
        try escaping.add("./c:x", [1])
        let escape = try escaping.file()
        #expect(refusal(of: escape)?.reason == .unsafeName)
    }

    @Test func `may have no entries at all`() throws {
        let end: [UInt8] = [0x50, 0x4B, 0x05, 0x06] + [UInt8](repeating: 0, count: 18)
        let archive = try ZipReader(end)
        #expect(archive.entries.isEmpty)
    }
}

/// Why `file` is refused; nil if it is accepted.
func refusal(of file: [UInt8], limits: ArchiveLimits = ArchiveLimits()) -> ArchiveError? {
    do throws(ArchiveError) {
        let archive = try ZipReader(file, limits: limits)
        for entry in archive.entries { _ = try archive.contents(of: entry.name, atMost: limits.entryBytes) }
        return nil
    } catch { return error }
}
