import Bytes
import Testing

@Suite struct `The text of a path` {
    @Test(
        arguments: [
            Array("release/1.0 – für Ä.zip".utf8), [0x62, 0xFF, 0x2E], [0xC3], [0xC3, 0x28],
            [0xED, 0xA0, 0x80],
            [0xF4, 0x8F, 0xBE, 0x80], [0xF4, 0x8F, 0xBF, 0xBF, 0xFF], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82],
            [0xF0, 0x9F, 0x94, 0x8B], [], [0xC0, 0xAF], [0x80, 0x81],
        ] as [[UInt8]])
    func `gives back every byte of the name`(_ bytes: [UInt8]) {
        let text = PathText.text(of: bytes)
        #expect(PathText.bytes(of: text) == bytes)
        #expect(text.systemPath == bytes.map { CChar(bitPattern: $0) } + [0])
    }

    @Test func `differs for names that differ`() {
        let names = (0...255).map { [UInt8($0)] } + (0...255).map { [0xF4, 0x8F, 0xBE, UInt8($0)] }
        #expect(Set(names.map { Array(PathText.text(of: $0).utf8) }).count == names.count)
    }

    @Test func `is unchanged for UTF-8`() {
        #expect(PathText.text(of: Array("a/ü.zip".utf8)) == "a/ü.zip")
        #expect(!PathText.hasForeignBytes("a/ü.zip"))
    }

    @Test func `ends before the zero of a C string, and has every other byte`() {
        let value: [UInt8] = [UInt8(ascii: "/"), 0xFF, UInt8(ascii: "a")]
        let text = (value + [0, 1]).map { CChar(bitPattern: $0) }
            .withUnsafeBufferPointer { $0.baseAddress.map { PathText.text(cString: $0) } }
        #expect(text.map(PathText.bytes) == value)
        #expect(PathText.variable("BEACON_DFU_UNSET_VARIABLE") == nil)
    }

    @Test func `shows other bytes in hexadecimal`() {
        #expect(
            PathText.shown(PathText.text(of: Array("bad".utf8) + [0xFF, 0x80] + Array(".zip".utf8)))
                == "bad\\xff\\x80.zip")
    }
}

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

@Suite struct `Text from outside` {
    @Test(
        arguments: [
            ("Blinker 1", "Blinker 1"), ("\u{1B}[2Jgone", "\\u{1b}[2Jgone"),
            ("a\u{7}b\r\nc", "a\\u{7}b\\r\\nc"),
            ("\u{1B}[32mgood\u{1B}[0m", "\\u{1b}[32mgood\\u{1b}[0m"),
            ("\u{1B}]0;t\u{7}", "\\u{1b}]0;t\\u{7}"),
            ("\u{202E}txt.exe", "\\u{202e}txt.exe"), ("\u{9B}31m", "\\u{9b}31m"), ("Gerät", "Gerät"),
            ("a\tb\u{2028}c\u{AD}d", "a\\tb\\u{2028}c\\u{ad}d"), ("日本\u{200D}", "日本\\u{200d}"),
            ("C:\\n", "C:\\n"),
            ("\u{E0041}\u{FFFE}", "\\u{e0041}\\u{fffe}"),
        ])
    func `is shown with control characters escaped`(_ text: String, _ shown: String) {
        #expect(VisibleText.escaped(text) == shown)
    }

    @Test func `keeps its value in JSON`() {
        let json = "\"a\u{202E}\u{9B}b\u{E0041}\u{7F}ü\""
        #expect(VisibleText.escaped(json: json) == #""a\u202e\u009bb\udb40\udc41\u007fü""#)
    }
}
