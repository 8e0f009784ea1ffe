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

    @Test func `shows other bytes in hexadecimal`() {
        #expect(
            PathText.shown(PathText.text(of: Array("bad".utf8) + [0xFF, 0x80] + Array(".zip".utf8)))
                == "bad\\xff\\x80.zip")
    }
}
