import Bluetooth
import Bytes
import Identity
import Simulation
import TestSupport
import Testing
import Tray

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
            try await scenario.playAll(time: time.keeper, readiness: time) { adapters in
                let survey = UnitSurvey(
                    with: adapters.map { NamedAdapter($0.name, $0) }, for: .seconds(1), order: .loudest,
                    time: time.keeper)
                let code = try await survey.scanning(telling: Console(style: Console.Style(isQuiet: true))) {
                    try await time.keeper.sleep(for: .seconds(60))
                    return "F0:0D:BE:AC:01:00"
                }
                let device = try #require(DeviceSelector(code))
                // It listens again once the adapter is back.
                #expect((survey.beacon(of: device) != nil) == (moments.count == 2))
            }
        }
    }
}
