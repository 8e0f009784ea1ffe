import Testing

@testable import BeaconCommands

@Suite struct `Text for a terminal` {
    @Test(
        arguments: [
            ("Blinker 1", "Blinker 1"), ("\u{1B}[2Jgone", "?[2Jgone"), ("a\u{7}b\r\nc", "a?b??c"),
            ("\u{1B}[32mgood\u{1B}[0m", "\u{1B}[32mgood\u{1B}[0m"), ("\u{1B}]0;title\u{7}", "?]0;title?"),
            ("\u{202E}txt.exe", "?txt.exe"), ("\u{9B}31m", "?31m"), ("Gerät", "Gerät"), ("\u{1B}[", "?["),
        ])
    func `keeps colours and nothing else that a terminal obeys`(_ text: String, _ shown: String) {
        #expect(PlainText.cleaned(text) == shown)
    }
}
