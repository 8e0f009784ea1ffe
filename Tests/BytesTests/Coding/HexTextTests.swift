import Bytes
import Testing

@Suite struct `Hexadecimal text` {
    @Test func `is written in lower case and read in either`() throws {
        #expect(HexText.encode([0x0F, 0xA0]) == "0fa0")
        #expect(try HexText.decode("0F a0") == [0x0F, 0xA0])
    }

    @Test func `of a number has the digits of its type, or those it needs after 0x`() {
        #expect(HexText.digits(UInt8(0xA)) == "0a")
        #expect(HexText.digits(UInt32(0x1FB), uppercase: true) == "000001FB")
        #expect(HexText.digits(UInt16.max) == "ffff")
        #expect(HexText.number(0x1FB) == "0x1fb")
        #expect(HexText.number(UInt8(0xA), uppercase: true) == "0xA")
        #expect(HexText.number(0) == "0x0")
    }

    @Test(arguments: ["0", "0g", "abc", "é0", "00 \u{301}", "00\u{301}", "００"])
    func `is refused when it is not whole bytes`(_ text: String) {
        #expect(throws: ByteError.self) { try HexText.decode(text) }
    }
}
