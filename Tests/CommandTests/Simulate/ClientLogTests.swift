import Bluetooth
import Bytes
import Simulation
import TestSupport
import Testing
import UpdateModel

@testable import CommandKit
@testable import RadioCommands

private let point = AttributeTable.controlPoint
private let rule = BrokenRule("secure-empty-object", "nothing", in: "nordic-secure.md, Personalities")

@Suite struct `The log of a client` {
    private static func lines(_ acts: [ClientAct]) -> [SimulationEvent] {
        var log = ClientLog()
        return acts.enumerated().flatMap { log.note($1, at: .seconds($0)) }
    }

    @Test func `counts data and its answers in one line`() {
        let events = Self.lines([
            .requested(ClientRequest("create")), .answered([0x60, 1, 1], from: point), .sent(bytes: 244),
            .sent(bytes: 100), .answered([0x60, 3, 1], from: point), .requested(ClientRequest("execute")),
        ])
        #expect(
            events == [
                .requested(ClientRequest("create")), .answered([0x60, 1, 1], point),
                .data(packets: 2, bytes: 344, answers: 1, dropped: 0), .requested(ClientRequest("execute")),
            ])
    }

    @Test func `reports how many packets the beacon dropped`() {
        let acts: [ClientAct] = [
            .sent(bytes: 244), .dropped(packets: 1), .sent(bytes: 244), .answered([0x60, 3, 1], from: point),
            .disconnected,
        ]
        #expect(
            Self.lines(acts).first?.text.rendered
                == "  data: 488 bytes in 2 packets; 1 dropped that came faster than flash is written")
        var log = ClientLog()
        for act in acts { _ = log.note(act, at: .zero) }
        #expect(log.verdict.line.members["packets_dropped"] == .integer(1))
        #expect(
            log.verdict.text.rendered.hasSuffix(
                "; 1 packets that came faster than flash is written were dropped"))
    }

    @Test func `reports how long a link lasted and how many rules were broken on it`() {
        let events = Self.lines([
            .broke(rule), .connected, .broke(rule), .broke(rule), .sent(bytes: 1), .disconnected,
        ])
        #expect(
            events.suffix(2) == [
                .data(packets: 1, bytes: 1, answers: 0, dropped: 0),
                .disconnected(seconds: 4, rulesBroken: 2),
            ])
    }

    @Test func `omits the end of a discovery and the start of a pairing`() {
        #expect(Self.lines([.refused(code: 0x0A), .refused(code: 0x05)]).isEmpty)
        #expect(Self.lines([.refused(code: 0x03)]) == [.refused(3)])
    }
}

@Suite struct `The verdict on a client` {
    static let right = CompletedUpdate(held: [1, 2, 3])
    static let wrong = CompletedUpdate(held: [1, 2, 3], starts: false)

    @Test(
        arguments: [
            ([.connected, .completed(right)], false, .done),
            // An interruption after the update keeps the verdict.
            ([.connected, .completed(right)], true, .done),
            ([.completed(right), .broke(rule)], false, .failed),
            ([.completed(wrong)], false, .failed),
            ([.completed(wrong), .completed(right)], false, .failed),
            ([.connected], false, .failed), ([.connected], true, .interrupted),
            ([.connected, .broke(rule)], true, .failed), ([], true, .interrupted), ([], false, .failed),
        ] as [([ClientAct], Bool, UpdateModel.ExitStatus)])
    func `is good if an update arrived, is right, and broke no rule`(
        _ acts: [ClientAct], _ isInterrupted: Bool, _ status: UpdateModel.ExitStatus
    ) {
        var log = ClientLog()
        for act in acts { _ = log.note(act, at: .zero) }
        #expect(log.verdict.status(interrupted: isInterrupted) == status)
        #expect(log.verdict.line.members["passed"] == .bool(status == .done))
    }

    @Test func `has both digests and the rules with their counts`() {
        var log = ClientLog()
        for act in [ClientAct.connected, .broke(rule), .broke(rule), .completed(Self.right)] {
            _ = log.note(act, at: .zero)
        }
        #expect(
            log.verdict.line.text == """
                {"event":"verdict","links":1,"packets_dropped":0,"passed":false,"rules_broken":{"secure-empty-object":2},"schema":1,\
                "updates":[{"bytes":3,"held_sha256":"039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81",\
                "right":true,"sent_sha256":null}]}
                """)
        #expect(
            log.verdict.text.rendered.hasPrefix("verdict: failed; the image is right (SHA-256 039058c6"))
        #expect(log.verdict.text.rendered.hasSuffix("; rules broken: secure-empty-object × 2"))
    }
}

@Suite struct `The guide to served beacons` {
    @Test func `names every rule, in the words of the program`() throws {
        let text = String(
            decoding: try Samples.file(at: Samples.root + "/docs/guide/simulating.md"), as: UTF8.self)
        for rule in BrokenRule.all {
            let row = "| `\(rule.id)` | \(rule.text) | \(rule.source) |"
            #expect(text.contains(row), "docs/guide/simulating.md should have\n\(row)")
        }
    }
}
