import Bytes
import TestSupport
import Testing

@Suite struct `A damaged ZIP file` {
    /// The defects of the malformed samples.
    static let flaws: [(String, ArchiveError)] = [
        ("absolute-name", ArchiveError(.unsafeName, entry: "/etc/evil.bin", offset: 877)),
        ("backslash-name", ArchiveError(.backslashName, entry: "folder\\evil.bin", offset: 879)),
        ("drive-letter", ArchiveError(.unsafeName, entry: "C:evil.bin", offset: 874)),
        ("nul-in-name", ArchiveError(.unsafeName, entry: "evil.bin\0.txt", offset: 877)),
        ("path-escapes", ArchiveError(.unsafeName, entry: "../evil.bin", offset: 875)),
        ("path-escapes-inside", ArchiveError(.unsafeName, entry: "folder/../../evil.bin", offset: 885)),
        ("duplicate-entry", ArchiveError(.duplicateName, entry: "blinker.bin", offset: 875)),
        ("bad-entry-crc", ArchiveError(.checksumWrong, entry: "blinker.bin", offset: 0)),
        ("encrypted-entry", ArchiveError(.encrypted, entry: "blinker.bin", offset: 0)),
        ("method-bzip2", ArchiveError(.unsupportedMethod(12), entry: "blinker.bin", offset: 0)),
        (
            "entry-shorter-than-declared",
            ArchiveError(.shorterThanDeclared(bytes: 300), entry: "blinker.bin", offset: 0)
        ),
        (
            "entry-longer-than-declared",
            ArchiveError(.longerThanDeclared(bytes: 200), entry: "blinker.bin", offset: 0)
        ),
        ("zip-bomb-lying", ArchiveError(.longerThanDeclared(bytes: 256), entry: "blinker.bin", offset: 363)),
        (
            "zip-bomb",
            ArchiveError(.entryTooLarge(bytes: 32 << 20, limit: 8 << 20), entry: "bomb.bin", offset: 660)
        ),
        (
            "many-small-bombs",
            ArchiveError(.contentsTooLarge(bytes: 16_777_751, limit: 16 << 20), entry: "2", offset: 8848)
        ),
        (
            "declared-4-gib",
            ArchiveError(.entryTooLarge(bytes: 4 << 30, limit: 8 << 20), entry: "huge.bin", offset: 660)
        ),
        ("ten-thousand-entries", ArchiveError(.tooManyEntries(count: 10_003, limit: 256), offset: 832_097)),
        ("truncated-zip", ArchiveError(.endMissing, offset: 735)),
        ("zip-two-faced", ArchiveError(.strayBytes(count: 56), offset: 0)),
        ("zip-local-name", differs("name")), ("zip-local-crc", differs("CRC-32")),
        ("zip-local-size", differs("size")), ("zip-local-packed", differs("compressed size")),
        ("zip-local-method", differs("method")), ("zip-local-flags", differs("flags")),
        ("zip-descriptor", differs("data descriptor", at: 268)),
        ("zip-hidden-stream", ArchiveError(.strayBytes(count: 4), entry: "blinker.bin", offset: 268)),
        ("zip-prefix", ArchiveError(.strayBytes(count: 2), offset: 0)),
        ("zip-gap", ArchiveError(.strayBytes(count: 1), offset: 660)),
        ("zip-trailing", ArchiveError(.strayBytes(count: 1), offset: 855)),
        ("zip-comment-end", ArchiveError(.strayBytes(count: 855), offset: 0)),
        ("zip-overlap", ArchiveError(.overlaps, entry: "blinker.bin", offset: 0)),
        ("zip-disk", ArchiveError(.severalDisks, offset: 833)),
        ("zip-entry-disk", ArchiveError(.severalDisks, entry: "blinker.bin", offset: 660)),
        ("zip-link", ArchiveError(.notAFile, entry: "blinker.bin", offset: 660)),
        ("zip-second-name", ArchiveError(.secondName, entry: "blinker.bin", offset: 0)),
    ]

    private static func differs(_ field: String, at offset: Int = 0) -> ArchiveError {
        ArchiveError(.headerDiffers(field: field), entry: "blinker.bin", offset: offset)
    }

    @Test(arguments: flaws)
    func `is refused for its one defect`(_ name: String, _ error: ArchiveError) throws {
        #expect(refusal(of: try Samples.bytes("malformed/\(name).zip")) == error)
    }

    @Test func `is refused at every length`() throws {
        for prefix in Corruption.prefixes(of: try Samples.bytes("nordic/tiny.zip")) {
            #expect(refusal(of: prefix) != nil, "\(prefix.count) bytes")
        }
    }

    @Test(arguments: ["nordic/tiny.zip", "malformed/entry-shorter-than-declared.zip"])
    func `with any byte changed is read, or refused with an offset`(_ name: String) throws {
        for (index, file) in Corruption.flips(of: try Samples.bytes(name)) {
            guard let error = refusal(of: file) else { continue }
            let hasPlace = error.offset != nil || error.entry != nil || error.reason == .notAnArchive
            #expect(hasPlace, "byte \(index): \(error)")
            #expect((0...file.count).contains(error.offset ?? 0), "byte \(index): \(error)")
        }
    }

    @Test func `with bytes after its end is read, or refused with an offset`() throws {
        let file = try Samples.bytes("nordic/tiny.zip")
        for count in [1, 22, 100, 65_535, 70_000] {
            let error = refusal(of: file + [UInt8](repeating: 0, count: count))
            #expect(error == nil || error?.offset != nil, "\(count) bytes: \(String(describing: error))")
        }
    }

    @Test func `is described in one line without control characters`() {
        let error = ArchiveError(.unsafeName, entry: "a\u{1B}[2J\n", offset: 7)
        #expect(
            error.description
                == #"entry "a\u{1B}[2J\n" at offset 7: the name is not a safe relative file name"#)
    }
}
