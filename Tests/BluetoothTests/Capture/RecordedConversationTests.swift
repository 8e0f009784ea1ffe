import Bytes
import TestSupport
import Testing

@testable import Bluetooth

@Suite struct `A recorded conversation` {
    private func conversations(_ packets: [(Direction, String)]) throws -> [RecordedConversation] {
        try BTSnoopFile(parsing: Recorded.file(packets)).conversations()
    }

    @Test func `has the peer, the packets of both directions, and the end`() throws {
        let found = try BTSnoopFile(parsing: Recorded.bytes).conversations()
        #expect(found.count == 1)
        #expect(found[0].peer == Recorded.peer)
        #expect(found[0].endReason == 0x13)
        #expect(found[0].packets.map(\.direction) == Recorded.packets.map(\.0))
        #expect(found[0].packets.map(\.bytes) == Recorded.packets.map(\.1))
    }

    /// In the form that a controller with buffers of 27 octets gives them, both directions mixed.
    @Test func `is reassembled from fragments`() throws {
        let found = try conversations([
            (.sent, "02 0100 0600 0700 0400 52 10"), (.received, "02 0120 0200 0500"),
            (.sent, "02 0110 0300 00 aa bb"), (.received, "02 0110 0500 0400 1b 0d 00"),
            (.sent, "02 0110 0200 cc dd"), (.received, "02 0110 0200 01 02"),
        ])
        #expect(found.count == 1)
        #expect(found[0].peer == nil)
        #expect(
            found[0].packets.map(\.bytes) == [
                [UInt8](hex: "52 1000 aabbccdd"), [UInt8](hex: "1b 0d00 0102"),
            ])
    }

    @Test func `leaves out a fragment whose beginning was not recorded`() throws {
        let found = try conversations([(.sent, "02 0110 0200 aabb"), (.sent, "02 0100 0500 0100 0400 13")])
        #expect(found.map(\.packets.count) == [1])
    }

    @Test func `leaves out other channels, commands and audio`() throws {
        let found = try conversations([
            (.sent, "01 030c 00"), (.received, "04 0e 04 01 030c 00"), (.received, "05 0100 0000"),
            (.received, "02 0120 0800 0400 0500 12 01 0000"), (.sent, "03 0100 00"),
        ])
        #expect(found == [])
    }

    @Test func `is separated from others by its handle`() throws {
        let found = try conversations([
            (.received, "04 3e 13 01 00 0100 00 01 0101acbe0df0 0c00 0000 5802 00"),
            (.received, "04 3e 13 01 00 0200 00 00 0102acbe0df0 0c00 0000 5802 00"),
            (.sent, "02 0200 0500 0100 0400 0a"), (.sent, "02 0100 0500 0100 0400 0b"),
        ])
        #expect(found.map { $0.packets.map(\.bytes) } == [[[0x0B]], [[0x0A]]])
        #expect(found.map(\.peer?.kind) == [.random, .public])
    }

    @Test func `starts over when its handle is reused`() throws {
        let opening = "04 3e 13 01 00 0100 00 01 0101acbe0df0 0c00 0000 5802 00"
        let found = try conversations([
            (.received, opening), (.sent, "02 0100 0500 0100 0400 0a"), (.received, "04 05 04 00 0100 08"),
            (.received, opening), (.sent, "02 0100 0500 0100 0400 0b"),
        ])
        #expect(found.map { $0.packets.map(\.bytes) } == [[[0x0A]], [[0x0B]]])
        #expect(found.map(\.endReason) == [0x08, nil])
    }

    /// The enhanced forms, as Linux and Android have them; types 2 and 3 are resolved addresses.
    @Test(arguments: [
        ("1f 0a", 0, DeviceAddress.Kind.public, ""), ("1f 0a", 1, .random, ""), ("1f 0a", 2, .public, ""),
        ("1f 0a", 3, .random, ""), ("22 29", 3, .random, "ff ffff"),
    ])
    func `takes the peer from an enhanced event`(
        _ form: String, _ type: Int, _ kind: DeviceAddress.Kind, _ end: String
    ) throws {
        let found = try conversations([
            (
                .received,
                "04 3e \(form) 00 0100 00 0\(type) 0101acbe0df0 000000000000 000000000000 0c00 0000 5802 00"
                    + end
            )
        ])
        #expect(found.map(\.peer) == [DeviceAddress("F0:0D:BE:AC:01:01", kind)])
    }

    @Test func `does not begin with a failed connection`() throws {
        #expect(
            try conversations([
                (.received, "04 3e 13 01 3e 0100 00 01 0101acbe0df0 0c00 0000 5802 00")
            ]) == [])
    }

    @Test func `is refused, with the offset, if a fragment is longer than its packet`() {
        #expect(
            throws: ByteError(offset: 40, field: "L2CAP packet", reason: .trailing(count: 2))
        ) { try conversations([(.sent, "02 0100 0700 0100 0400 13 0000")]) }
    }

    @Test(arguments: [
        "", "02", "02 0100 0500 0100", "02 0100 0100 0100", "04", "04 3e", "04 3e 13 01 00", "04 3e 02 01 00",
        "04 05 04 00 0100", "04 05 01 00", "04 05 04 00 0100 13 00", "04 08 01 00",
    ])
    func `is refused where a packet cannot be read`(_ packet: String) {
        #expect(throws: ByteError.self) { try conversations([(.received, packet)]) }
    }

    @Test func `leaves out packets that the recorder truncated`() throws {
        var bytes = Recorded.bytes
        bytes[16 + 3] += 1
        let found = try BTSnoopFile(parsing: bytes).conversations()
        #expect(found.map(\.peer) == [nil])
    }
}
