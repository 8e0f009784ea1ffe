import Bytes
import Testing

@Suite struct `A misspelt word` {
    static let commands = [
        "inspect", "validate", "build", "keys", "scan", "info", "flash", "doctor", "explain",
    ]

    @Test(arguments: [
        ("flsh", "flash"), ("falsh", "flash"), ("Flash", "flash"), ("flashh", "flash"), ("insp", "inspect"),
        ("validata", "validate"), ("doktor", "doctor"), ("scna", "scan"),
    ])
    func `is replaced by the nearest one`(typed: String, meant: String) {
        #expect(Spelling.nearest(to: typed, in: Self.commands) == meant)
    }

    @Test(arguments: [
        "", "x", "frobnicate", "i", "history", "yes", "in", String(repeating: "f", count: 5000),
    ])
    func `without a near one has no suggestion`(typed: String) {
        #expect(Spelling.nearest(to: typed, in: Self.commands) == nil)
        #expect(Spelling.hint(for: typed, in: Self.commands, otherwise: "!") == "!")
    }

    @Test func `has one form of suggestion`() {
        #expect(Spelling.hint(for: "flsh", in: Self.commands) == "; did you mean 'flash'?")
    }
}
