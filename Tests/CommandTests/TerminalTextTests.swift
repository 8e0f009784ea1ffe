import Testing

@testable import CommandKit

@Suite struct `Text for a terminal` {
    @Test func `keeps only the program's own colour sequences`() {
        let name = "\u{1B}[32mgood\u{1B}[0m\n"
        let text: TerminalText = "\(TerminalText("error").painted(.red)) \(name)"
        #expect(text.rendered == "\u{1B}[31merror\u{1B}[0m \\u{1b}[32mgood\\u{1b}[0m\\n")
    }

    @Test(arguments: [
        ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("🔋", 2), ("\u{1B}", 6), ("Ａ", 2), ("", 0), ("ﾊ", 1),
    ])
    func `counts cells`(_ text: String, _ cells: Int) {
        #expect(TerminalText(text).width == cells)
        #expect(TerminalText(text).painted(.bold).width == cells)
    }

    @Test(arguments: [
        ("abcdef", 4, "abc…"), ("abcd", 4, "abcd"), ("ab", 4, "ab  "), ("日本語", 4, "日… "), ("日本語", 5, "日本…"),
        ("abc", 0, ""),
    ])
    func `is cut or padded to a number of cells`(_ text: String, _ cells: Int, _ shown: String) {
        #expect(TerminalText(text).fitted(to: cells).rendered == shown)
    }

    @Test func `keeps the reset sequence of a colour that is cut`() {
        #expect(
            TerminalText("abcdef").painted(.red).clipped(to: 3).rendered == "\u{1B}[31mab…\u{1B}[0m")
    }
}

@Suite struct `A table on a terminal` {
    private static let table = Table(columns: [.init(heading: "NAME"), .init(heading: "RSSI")])

    @Test(arguments: [("\u{645}\u{635}", true), ("\u{5D0}", true), ("Le\u{301}on", false), ("日本", false)])
    func `isolates right-to-left text, so that the number after it stays in its column`(
        _ name: String, _ isMarked: Bool
    ) {
        let rows: [[TerminalText]] = [[TerminalText(name), "-46"]]
        let line = Self.table.lines(rows, width: 80)[1]
        #expect(line.rendered.contains("\u{200E}  -46") == isMarked)
        #expect(line.width == Self.table.lines(rows, width: nil)[1].width)
        #expect(!Self.table.lines(rows, width: nil)[1].rendered.contains("\u{200E}"))
    }
}

@Suite struct `A status at the bottom of a terminal` {
    @Test func `replaces the previous one`() {
        // No terminal: 24 by 80.
        var screen = StatusScreen(-1)
        #expect(screen.removal.isEmpty)
        #expect(String(decoding: screen.drawing(of: ["a", "b", "c"]), as: UTF8.self) == "a\nb\nc")
        #expect(screen.isShowing(["a", "b", "c"]))
        #expect(String(decoding: screen.removal, as: UTF8.self) == "\u{1B}[2A\r\u{1B}[J")
        #expect(screen.drawing(of: []).isEmpty && screen.removal.isEmpty)
    }

    @Test func `never takes more than one row for a line`() {
        var screen = StatusScreen(-1)
        let line = TerminalText(String(repeating: "日", count: 60))
        let drawn = String(decoding: screen.drawing(of: [line]), as: UTF8.self)
        #expect(Cells.width(of: drawn) == 79)
    }
}
