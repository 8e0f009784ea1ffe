import Bytes
import Testing

@Suite struct `Lines` {
    private func lines(_ pieces: String..., limit: Int, excess: LineSplitter.Excess) -> [String] {
        var splitter = LineSplitter(limit: limit, excess: excess)
        var lines: [[UInt8]] = []
        for piece in pieces {
            splitter.append(piece.utf8)
            while let line = splitter.next() { lines.append(line) }
        }
        return (lines + [splitter.rest()].compactMap(\.self)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `may come in pieces, and are skipped if they are too long`() {
        #expect(
            lines("ab\ncd", "e\n\nmuch too long ", "indeed\nok\nlonger than 8", limit: 8, excess: .skipped)
                == ["ab", "cde", "", "ok"])
    }

    @Test func `are cut with a mark where they may not be skipped`() {
        #expect(
            lines("1234567", "8\n123456789\nrest", limit: 8, excess: .cut) == [
                "12345678", "1234567?", "rest",
            ])
    }
}
