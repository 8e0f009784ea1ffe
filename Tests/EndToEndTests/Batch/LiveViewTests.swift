import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `The live view of a batch` {
    private static func terminal(_ rows: Int = 24, _ columns: Int = 80) -> PseudoTerminal {
        var terminal = PseudoTerminal()
        (terminal.rows, terminal.columns, terminal.isControlling) = (rows, columns, true)
        return terminal
    }

    /// Units that take some seconds, so that none is done before the keys are typed.
    private static let slow = "{interval_ms: 15, event_ms: 7.5}"

    private static func arguments(_ bench: BatchBench) -> [String] {
        bench.arguments().filter { $0 != "--json" }
    }

    @Test func `accepts keys, and restores the terminal`() throws {
        let bench = try BatchBench(5, link: Self.slow)
        let run = try Self.terminal().run(
            Self.arguments(bench),
            typing: [("? keys", "?"), ("make the unit blink", "x"), ("? keys", "p"), ("PAUSED", "p")])
        #expect(run.status == 0, "\(run.output.suffix(400))")
        #expect(run.isByLine)
        #expect(run.output.contains("held") && run.output.contains("5 units: 5 passed"))
    }

    @Test func `stops the run when the user requests it`() throws {
        let bench = try BatchBench(4, link: Self.slow)
        let run = try Self.terminal().run(
            Self.arguments(bench), typing: [("? keys", "p"), ("PAUSED", "q"), ("y ends", "y")])
        #expect(run.status == 130)
        #expect(run.output.contains("stopping"))
        #expect(run.isByLine)
    }

    @Test func `never has more rows than the terminal, and its lines stay where they were printed`() throws {
        let bench = try BatchBench(7)
        let run = try Self.terminal(9, 72).run(Self.arguments(bench) + ["--no-golden"])
        #expect(run.status == 0)
        var screen = TerminalScreen(rows: 9, columns: 72, row: 8)
        screen.show(run.output.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n"))
        #expect(screen.unknown.isEmpty && screen.overrun == 0, "\(screen.unknown)")
        #expect(screen.lines.contains { $0.contains("7 units: 7 passed") }, "\(screen.lines)")
        // Overwritten text has left no remains.
        #expect(!screen.lines.contains { $0.contains("? keys") || $0.contains(" running") })
    }

    @Test func `is omitted without a keyboard, so that a hold does not wait for a key`() throws {
        let bench = try BatchBench(2)
        let run = try PseudoTerminal().run(Self.arguments(bench))
        #expect(run.status == 0 && run.isByLine)
        #expect(!run.output.contains("p pause"))
    }
}
