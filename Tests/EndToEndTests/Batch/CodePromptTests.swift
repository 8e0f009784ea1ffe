import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `Codes that are refused at the prompt` {
    private static func code(_ index: Int) -> String { BatchBench.address(index).filter { $0 != ":" } }

    /// Two empty slots, and three beacons in range.
    private static func bench() throws -> BatchBench {
        let bench = try BatchBench(3)
        let tray = "tray: 1\nfirmware: \(BatchBench.package)\nslots: [{slot: A1}, {slot: A2}]\n"
        try Data(tray.utf8).write(to: URL(filePath: bench.file))
        return bench
    }

    private static func run(
        _ bench: BatchBench, codes: String, typing replies: [(prompt: String, reply: String)]
    ) throws -> PseudoTerminal.Run {
        let more = ["--codes", codes, "--scan-for", "1", "--no-golden"]
        return try PseudoTerminal().run(bench.arguments(more).filter { $0 != "--json" }, typing: replies)
    }

    @Test func `can be allowed, skipped and taken back`() throws {
        let bench = try Self.bench()
        let run = try Self.run(
            bench, codes: "-",
            typing: [
                ("A1: scan the label", "allow\n"),
                ("there is no refused code to accept", "undo\n"),
                ("no code has been accepted yet", "F00000000999\n"),
                ("is it a unit of this tray?", "n\n"),
                ("A1: scan the label", Self.code(0) + "\n"),
                ("A1: F0:", "undo\n"),
                ("A1: empty again", Self.code(1) + "\n"),
                ("A2: scan the label", "A2," + Self.code(1) + "\n"),
                ("was it moved?", "y\n"),
                ("A1: empty again", Self.code(2) + "\n"),
            ])
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.contains("2 units: 2 passed"), "\(run.output)")
        #expect(try !bench.isRight(0) && bench.isRight(1) && bench.isRight(2))
    }

    @Test func `of a list are decided one by one`() throws {
        let bench = try Self.bench()
        let list = try bench.air.write(
            Array("A1,F00000000999\nA1,\(Self.code(0))\nA1,\(Self.code(1))\nA2,\(Self.code(2))\n".utf8),
            as: "codes.csv")
        let run = try Self.run(
            bench, codes: list,
            typing: [
                ("leaves it out", "what\n"), ("leaves it out", "s\n"), ("leaves it out", "a\n"),
            ])
        #expect(run.status == 0, "\(run.output)")
        // Long lines are wrapped at words.
        let words = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            words.contains("line 1: beacon") && words.contains("line 3: slot 'A1' already has"), "\(words)")
        #expect(try !bench.isRight(0) && bench.isRight(1) && bench.isRight(2))
    }

    /// Reads of a terminal cannot be cancelled: nothing may be read before something was typed.
    @Test func `end the prompt at Ctrl-C and at the time limit`() throws {
        for (codes, prompt) in [("-", "A1: scan the label"), ("codes.csv", "leaves it out")] {
            let bench = try Self.bench()
            let list = try bench.air.write(Array("F00000000999\n".utf8), as: "codes.csv")
            var terminal = PseudoTerminal()
            terminal.isControlling = true
            let more = ["--codes", codes == "-" ? codes : list, "--scan-for", "1"]
            let arguments = bench.arguments(more).filter { $0 != "--json" }
            let stopped = try terminal.run(arguments, typing: [(prompt, "\u{3}")])
            #expect(stopped.status == 130, "\(stopped.output)")
            let late = try terminal.run(arguments + ["--timeout", "5"])
            #expect(late.status == 75, "\(late.output)")
        }
    }

    @Test func `end the run if there is no terminal`() throws {
        let bench = try Self.bench()
        let codes = "F00000000999\n\(Self.code(0))\n\(Self.code(1))\n"
        let run = try Self.piped(codes, to: bench)
        #expect(run.status == 65 && run.output.contains("line 1: beacon"), "\(run.output)")
        let settled = try Self.piped("F00000000999\nskip\n\(Self.code(0))\n\(Self.code(1))\n", to: bench)
        #expect(settled.status == 0, "\(settled.output)")
        let odd = try Self.piped("a,b,c\n\n", to: bench)
        #expect(odd.status == 65 && odd.output.contains("line 1: "), "\(odd.output)")
        #expect(try bench.isRight(0) && bench.isRight(1))
    }

    @Test func `of a list leave their slots empty, and out of the run, when they are skipped`() throws {
        let bench = try Self.bench()
        let list = try bench.air.write(Array("F00000000999\n\(Self.code(1))\n".utf8), as: "codes.csv")
        let run = try Self.run(bench, codes: list, typing: [("leaves it out", "skip\n")])
        #expect(run.status == 0 && run.output.contains("because they stay empty: A1"), "\(run.output)")
        #expect(run.output.contains("1 unit: 1 passed"), "\(run.output)")
        #expect(try bench.isRight(1))
    }

    @Test func `are shown with their name and signal, and leave no more than the chosen slots`() throws {
        let bench = try Self.bench()
        let run = try Self.run(
            bench, codes: "-",
            typing: [
                ("A1: scan the label", "skip\n"), ("A1: stays empty", "undo\n"), ("A1: open again", "skip\n"),
                ("A2: scan the label", "C7," + Self.code(0) + "\n"),
                ("slots without a beacon: A2", "skip\n"), ("A2: scan the label", Self.code(0) + "\n"),
                ("dBm", ""),
            ])
        #expect(run.status == 0, "\(run.output)")
        #expect(
            run.output.contains("1 unit: 1 passed") && run.output.contains("stay empty: A1"), "\(run.output)")
    }

    @Test func `may be none, and all slots may be left out`() throws {
        let bench = try Self.bench()
        let none = try Self.run(
            bench, codes: "-",
            typing: [("A1: scan the label", "?\n"), ("leaves the slot empty", "end\n")])
        #expect(none.status == 2 && none.output.contains("every slot was skipped"), "\(none.output)")
        #expect(none.output.contains("give at least one slot a code"), "\(none.output)")
        let open = try Self.piped("\(Self.code(0))\n", to: bench)
        #expect(open.status == 65 && open.output.contains("ended before these slots: A2"), "\(open.output)")
        let one = try Self.piped("\(Self.code(0))\nend\n", to: bench)
        #expect(one.status == 0 && one.output.contains(#""passed":1,"#), "\(one.output)")
    }

    @Test func `that passed before are a question with date and run`() throws {
        let bench = try Self.bench()
        #expect(try Self.piped("\(Self.code(0))\n\(Self.code(1))\n", to: bench).status == 0)
        let run = try Self.run(
            bench, codes: "-",
            typing: [
                ("A1: scan the label", Self.code(0) + "\n"), ("update it again?", "n\n"),
                ("A1: scan the label", Self.code(2) + "\n"), ("A2: scan the label", "skip\n"),
            ])
        #expect(run.status == 0 && run.output.contains("has already passed, on"), "\(run.output)")
        #expect(run.output.contains("1 unit: 1 passed"), "\(run.output)")
    }

    private static func piped(_ codes: String, to bench: BatchBench) throws -> Shell.Run {
        let more = ["--codes", "-", "--scan-for", "1", "--no-golden"]
        let text = codes.replacing("\n", with: "\\n")
        return try Shell.run("printf '\(text)' | \"$0\" \"$@\"", bench.arguments(more))
    }
}
