import Bluetooth
import Bytes
import Firmware
import FoundationEssentials
import Simulation
import TestSupport
import Testing
import Tray
import TrayJournal

@testable import CommandKit
@testable import TrayCommands

@Suite(.timeLimit(.minutes(10))) struct `The prompt for codes` {
    @Test(
        arguments: [
            ("y", .allow), ("Yes", .allow), ("a", .allow), ("n", .no), ("skip", .skip), (" u ", .undo),
            ("end", .end), ("e", .end), ("?", .help), ("h", .help), ("HELP", .help),
            ("id:h", nil), ("??", nil), ("A1,h", nil), ("", nil),
        ] as [(String, ScanAnswer?)])
    func `has answers besides codes`(_ line: String, _ answer: ScanAnswer?) {
        #expect(ScanAnswer(line) == answer)
    }

    @Test func `explains every answer`() {
        for answer in ScanAnswer.allCases where ![.allow, .help].contains(answer) {
            let word = answer == .no ? "n " : answer.rawValue
            #expect(CodeFilling.keys.contains(word), "\(answer)")
        }
    }

    @Test(arguments: [[2], [2, 5], [2, 40]]) func `outlives the adapter`(_ moments: [Int]) async throws {
        let text = """
            adapters: [{name: a, unplugged_s: \(moments)}]
            beacons: [{address: "F0:0D:BE:AC:01:00", away_s: [0, 45]}]
            """
        let scenario = try Scenario(parsing: Array(text.utf8), path: "a.yaml")
        try await VirtualTime.run { time in
            try await scenario.playAll(time: time.clock, readiness: time) { adapters in
                let survey = UnitSurvey(
                    with: adapters.map { NamedAdapter($0.name, $0) }, for: .seconds(1), order: .loudest,
                    time: time.clock)
                let code = try await survey.scanning(telling: Console(style: Console.Style(isQuiet: true))) {
                    try await time.clock.sleep(for: .seconds(60))
                    return "F0:0D:BE:AC:01:00"
                }
                let device = try #require(DeviceSelector(code))
                // It listens again once the adapter is back.
                #expect((survey.beacon(of: device) != nil) == (moments.count == 2))
            }
        }
    }

    /// The message of the failure when `lines` come from a pipe, for slots A1 to A3 and two beacons in range.
    private static func refusal(of lines: [String]) async throws -> String? {
        let folder = FileManager.default.temporaryDirectory.path + "/codes-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let journal = try await Journal.open(
            at: folder + "/journal.sqlite", owner: JournalOwner(tray: nil), work: .onCallersThread)
        defer { journal.close() }
        let text = "beacons: [{address: F0:0D:BE:AC:01:00}, {address: F0:0D:BE:AC:02:00}]"
        let scenario = try Scenario(parsing: Array(text.utf8), path: "a.yaml")
        let tray = try TrayFile(
            units: .slots(try ["A1", "A2", "A3"].map { try TraySlot($0, device: nil) }),
            firmware: .file("none"))
        let console = Console(style: Console.Style(isQuiet: true))
        return try await VirtualTime.run { time in
            try await scenario.playAll(time: time.clock, readiness: time) { adapters in
                let survey = UnitSurvey(
                    with: adapters.map { NamedAdapter($0.name, $0) }, for: .seconds(1), order: .loudest,
                    time: time.clock)
                let filling = try CodeFilling(
                    path: "-", overrides: [], journal: journal, sha256: nil, isSimulated: true, survey: survey
                )
                let (stream, put) = AsyncStream.makeStream(of: CodeLine.self)
                for line in lines { put.yield(CodeLine(text: line, isSeen: false)) }
                put.finish()
                do {
                    _ = try await survey.scanning(telling: console) {
                        var read = CodeLines.stream(stream)
                        return try await filling.filledFromScanner(
                            SlotFilling(tray), &read, CodePrompt(console, nil), console)
                    }
                    return nil
                } catch let failure as CommandFailure { return failure.message }
            }
        }
    }

    @Test(
        arguments: [
            // The second code is for A2, so the third one is refused.
            (["F00000000999", "F00DBEAC0100", "A2,F00DBEAC0200"], ["line 1: beacon", "line 3: slot 'A2'"]),
            (["a,b,c", "F00DBEAC0100", "A2,F00DBEAC0200"], ["line 1: ", "line 3: slot 'A2'"]),
            (["F00000000999", "F00DBEAC0100", "A3,F00DBEAC0200"], ["line 1: beacon"]),
            // A code that was left out, a second scan, and a code for a slot take no slot from the others.
            (["F00000000999", "n", "F00DBEAC0100", "A2,F00DBEAC0200"], []),
            (["F00DBEAC0100", "A2,F00DBEAC0100", "F00DBEAC0200"], ["line 2: this beacon"]),
            (["A3,F00000000999", "F00DBEAC0100", "A2,F00DBEAC0200"], ["line 1: beacon"]),
        ] as [([String], [String])])
    func `gives each line of a pipe its own slot, and names the refused ones`(
        _ lines: [String], _ words: [String]
    ) async throws {
        let message = try await Self.refusal(of: lines)
        guard !words.isEmpty else {
            #expect(message == nil)
            return
        }
        let refused = try #require(message?.wholeMatch(of: /stdin, (.*)/)?.1).split(separator: "; line ")
        #expect(refused.count == words.count, "\(message ?? "")")
        for (line, word) in zip(refused, words) {
            #expect((line.hasPrefix("line ") ? line : "line \(line)").hasPrefix(word), "\(line)")
        }
    }
}
