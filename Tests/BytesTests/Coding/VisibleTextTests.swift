import Bytes
import Testing

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
