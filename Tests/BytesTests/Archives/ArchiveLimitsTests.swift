import Bytes
import TestSupport
import Testing

@Suite struct `An archive's limits` {
    let tiny: [UInt8]
    let exact: ArchiveLimits

    init() throws {
        tiny = try Samples.bytes("nordic/tiny.zip")
        exact = ArchiveLimits(fileBytes: tiny.count, entries: 3, entryBytes: 139, totalBytes: 64 + 139 + 139)
    }

    @Test func `admit an archive that reaches them exactly`() {
        #expect(refusal(of: tiny, limits: exact) == nil)
    }

    @Test func `bound the size of the file`() {
        var limits = exact
        limits.fileBytes -= 1
        let expected = ArchiveError(.fileTooLarge(bytes: tiny.count, limit: tiny.count - 1))
        #expect(refusal(of: tiny, limits: limits) == expected)
    }

    @Test func `bound the number of entries`() {
        var limits = exact
        limits.entries = 2
        #expect(refusal(of: tiny, limits: limits)?.reason == .tooManyEntries(count: 3, limit: 2))
    }

    @Test func `bound the size of one entry`() {
        var limits = exact
        limits.entryBytes = 138
        let error = refusal(of: tiny, limits: limits)
        #expect(error?.reason == .entryTooLarge(bytes: 139, limit: 138))
        #expect(error?.entry == "blinker.dat")
    }

    @Test func `bound the total size of all entries`() {
        var limits = exact
        limits.totalBytes = 341
        let error = refusal(of: tiny, limits: limits)
        #expect(error?.reason == .contentsTooLarge(bytes: 342, limit: 341))
        #expect(error?.entry == "manifest.json")
    }

    @Test func `count directory records too, since the declared number may be wrong`() {
        var lying = tiny
        lying[tiny.count - 12] = 1  // entries in the end record
        var limits = exact
        limits.entries = 2
        #expect(refusal(of: lying, limits: limits)?.reason == .tooManyEntries(count: 3, limit: 2))
        #expect(refusal(of: lying)?.reason == .directoryDamaged)
    }

    @Test(arguments: [
        "zip-bomb", "zip-bomb-lying", "many-small-bombs", "declared-4-gib", "ten-thousand-entries",
    ])
    func `apply before memory is allocated`(_ name: String) throws {
        let file = try Samples.bytes("malformed/\(name).zip")
        #expect(refusal(of: file) != nil)
        // Other tests run at the same time, so the smallest of several growths is this test's own.
        let growths = (0..<5).map { _ in
            let before = ResidentMemory.now
            _ = refusal(of: file)
            return ResidentMemory.now - before
        }
        #expect(try #require(growths.min()) < 20 << 20)
    }
}
