import ByteCoding
import Testing

@Suite struct `Hexadecimal text` {
    @Test func `is written in lower case and read in either`() throws {
        #expect(HexText.encode([0x0F, 0xA0]) == "0fa0")
        #expect(try HexText.decode("0F a0") == [0x0F, 0xA0])
    }

    @Test(arguments: ["0", "0g", "abc", "é0"])
    func `is refused when it is not whole bytes`(_ text: String) {
        #expect(throws: ByteError.self) { try HexText.decode(text) }
    }
}
