import TestSupport
import Testing

@testable import Simulation

@Suite struct `A CBOR value of a simulated server` {
    static let vectors: [(bytes: String, value: SMPValue)] = [
        ("00", .number(0)), ("17", .number(23)), ("1818", .number(24)), ("1903e8", .number(1000)),
        ("1a000f4240", .number(1_000_000)), ("1b000000e8d4a51000", .number(1_000_000_000_000)),
        ("1bffffffffffffffff", .unsigned(.max)), ("20", .number(-1)), ("3903e7", .number(-1000)),
        ("4401020304", .bytes([1, 2, 3, 4])), ("6449455446", .text("IETF")), ("60", .text("")),
        ("f4", .truth(false)), ("f5", .truth(true)), ("f6", .null),
    ]

    @Test(arguments: vectors)
    func `is decoded and encoded`(bytes: String, value: SMPValue) {
        #expect(SMPValue(decoding: [UInt8](hex: bytes)) == value)
        #expect(value.encoded(.definite).hex == bytes)
        #expect(value.encoded(.indefinite).hex == bytes)
    }

    @Test func `has definite or indefinite lengths`() {
        let map: SMPMap = ["off": .number(128), "list": .list([.truth(true), .map(["a": .null])])]
        let (definite, indefinite) = (map.encoded(.definite), map.encoded(.indefinite))
        #expect(definite.hex == "a2636f66661880646c69737482f5a16161f6")
        #expect(indefinite.hex == "bf636f66661880646c6973749ff5bf6161f6ffffff")
        #expect(SMPValue(decoding: definite)?.map == map)
        #expect(SMPValue(decoding: indefinite)?.map == map)
    }

    @Test(arguments: [
        "", "18", "19ff", "1c", "1f", "3f", "44010203", "5f4101ff", "6261", "7fff", "81", "9f", "9f00", "a1",
        "a10001",
        "bf", "bf6161", "c000", "e0", "f7", "f93c00", "ff", "9bffffffffffffffff", "bbffffffffffffffff",
        "5bffffffffffffffff", "818181818181818181f5",
    ])
    func `is refused if it is malformed, not of this subset, or too deep`(bytes: String) {
        #expect(SMPValue(decoding: [UInt8](hex: bytes)) == nil)
    }

    @Test func `survives any damage`() {
        let map: SMPMap = [
            "images": .list([.map(["hash": .bytes([1, 2, 3]), "slot": .number(300)])]), "rc": .number(-5),
        ]
        for lengths in [SMPValue.Lengths.definite, .indefinite] {
            let bytes = map.encoded(lengths)
            for prefix in Corruption.prefixes(of: bytes) { #expect(SMPValue(decoding: prefix) == nil) }
            for flip in Corruption.flips(of: bytes) { _ = SMPValue(decoding: flip.bytes) }
        }
    }
}
