import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `Codes that are refused at the prompt` {
    private static func code(_ index: Int) -> String { BatchBench.address(index).filter { $0 != ":" } }

    /// Two empty slots, and three beacons in reach.
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

    @Test func `are allowed, skipped and taken back`() throws {
        let bench = try Self.bench()
        let run = try Self.run(
            bench, codes: "-",
            typing: [
                ("A1: scan the label", "allow\n"),
                ("no code was refused", "undo\n"),
                ("no code was taken yet", "F00000000999\n"),
                ("A1: 'allow' takes the refused code", "skip\n"),
                ("A1: scan the label", Self.code(0) + "\n"),
                ("A1: F0:", "undo\n"),
                ("A1: empty again", Self.code(1) + "\n"),
                ("A2: scan the label", Self.code(1) + " \n"),
                ("A2: scan the label", "A2," + Self.code(1) + "\n"),
                ("this beacon is in slot 'A1' already", "allow\n"),
                ("A1: empty again", Self.code(2) + "\n"),
            ])
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.contains("2 units: 2 passed"), "\(run.output)")
        #expect(try !bench.isRight(0) && bench.isRight(1) && bench.isRight(2))
    }

    @Test func `of a list are settled one by one`() throws {
        let bench = try Self.bench()
        let list = try bench.air.write(
            Array("F00000000999\nA1,\(Self.code(0))\nA1,\(Self.code(1))\n\(Self.code(2))\n".utf8),
            as: "codes.csv")
        let run = try Self.run(
            bench, codes: list,
            typing: [
                ("leaves it out", "what\n"), ("leaves it out", "s\n"), ("leaves it out", "a\n"),
            ])
        #expect(run.status == 0, "\(run.output)")
        // Long lines are broken at words.
        let words = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("line 1: nobody knows") && words.contains("line 3: slot 'A1' has"), "\(words)")
        #expect(try !bench.isRight(0) && bench.isRight(1) && bench.isRight(2))
    }
}
