import Bytes
import TestSupport
import Testing

@testable import Bluetooth

@Suite struct `A btsnoop file` {
    @Test func `is read record by record`() throws {
        let file = try BTSnoopFile(parsing: Recorded.bytes)
        #expect(file.records.count == Recorded.records.count)
        #expect(file.records.map(\.isReceived) == [true, false, true, false, true, true])
        #expect(file.records[0].place == 16 + 24)
        // 2000-01-01T00:00:00Z, as in Wireshark's wiretap/btsnoop.c.
        #expect(file.records[0].timestamp - BTSnoopRecord.unixEpoch == 946_684_800_000_000)
    }

    @Test func `is the same after it is written again`() throws {
        #expect(try BTSnoopFile(parsing: Recorded.bytes).bytes == Recorded.bytes)
    }

    @Test func `may be without records`() throws {
        #expect(try BTSnoopFile(parsing: BTSnoopFile.header).records == [])
    }

    @Test func `is refused where it ends inside a record`() {
        var ends = [16]
        for record in Recorded.records { ends.append(ends[ends.count - 1] + [UInt8](hex: record).count) }
        for prefix in Corruption.prefixes(of: Recorded.bytes) where !ends.contains(prefix.count) {
            #expect(throws: ByteError.self) { try BTSnoopFile(parsing: prefix) }
        }
    }

    @Test func `is refused with bytes after the last record`() {
        #expect(
            throws: ByteError(
                offset: Recorded.bytes.count, field: "original length",
                reason: .truncated(needed: 4, available: 1))
        ) { try BTSnoopFile(parsing: Recorded.bytes + [0]) }
    }

    @Test(arguments: [
        ("6274736e6f6f7001 00000001 000003ea", 7, "file identification"),
        ("6274736e6f6f7000 00000002 000003ea", 8, "version"),
        ("6274736e6f6f7000 00000001 000007d1", 12, "data link"),
    ])
    func `is refused if it is of another kind`(_ header: String, _ offset: Int, _ field: String) throws {
        let error = #expect(throws: ByteError.self) { try BTSnoopFile(parsing: [UInt8](hex: header)) }
        #expect(error?.offset == offset)
        #expect(error?.field == field)
    }

    @Test func `is refused if a record has more than its original packet`() {
        var bytes = Recorded.bytes
        bytes[16 + 3] -= 1
        #expect(
            throws: ByteError(
                offset: 20, field: "included length", reason: .tooLong(limit: 0x15, found: 0x16))
        ) { try BTSnoopFile(parsing: bytes) }
    }

    @Test func `reports where it is damaged, whichever byte is changed`() {
        for (index, bytes) in Corruption.flips(of: Recorded.bytes) {
            do throws(ByteError) {
                let file = try BTSnoopFile(parsing: bytes)
                #expect(file.bytes == bytes, "byte \(index)")
                _ = try file.conversations()
            } catch {
                #expect((0...bytes.count).contains(error.offset), "byte \(index): \(error)")
            }
        }
    }
}
