import Testing

@testable import CommandKit

@Suite struct `A long line` {
    @Test(arguments: [
        ("short", ["short"]), ("  one two three four", ["  one two", "      three", "      four"]),
        ("aaaaaaaaaaaaaaaaaa b", ["aaaaaaaaaaaaaaaaaa", "    b"]), ("", [""]),
        ("x  y zzzzzzz", ["x  y", "    zzzzzzz"]),
        ("see `a b c d e` now", ["see", "    `a b c d e`", "    now"]),
        ("it `s a b c d", ["it `s a b c", "    d"]),
        ("aa `b`, `c d`", ["aa `b`,", "    `c d`"]),
        ("\u{1B}[31merror\u{1B}[0m abcde fg", ["\u{1B}[31merror\u{1B}[0m abcde", "    fg"]),
    ])
    func `is cut at spaces and indented`(line: String, pieces: [String]) {
        #expect(WrappedLine.pieces(line, width: 11) == pieces)
    }
}
