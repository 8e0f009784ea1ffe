import Testing
import UpdateModel

@testable import Nordic

@Suite struct `Sending a Legacy application to its bootloader` {
    private let link = LinkFacts(maximumWriteLength: 20)

    @Test func `turns notifications on and sends Start`() throws {
        var entry = ButtonlessEntry(legacyOrButtonless: false)
        #expect(entry.entryCharacteristics == [LegacyService.controlPoint])
        let begin = try entry.begin(on: link)
        #expect(begin.command == .subscribe(LegacyService.controlPoint))
        #expect(begin.notices == [.phase(.enteringBootloader)])
        #expect(entry.handoffOnLoss == nil)
        #expect(try entry.advance(after: .done).command == .write([1, 4], on: LegacyService.controlPoint))
        let handoff = BootloaderHandoff(
            expectedAddresses: [.nextAddress, .sameAddress], name: nil, mayBeInaudible: true)
        #expect(entry.handoffOnLoss == handoff)
        #expect(try entry.advance(after: .done).command == .end(handoff))
        #expect(entry.handoffOnLoss == handoff)
    }

    @Test func `ends on an unexpected outcome`() throws {
        for outcome in [DialogueOutcome.timedOut, .absent, .value([1])] {
            var entry = ButtonlessEntry(legacyOrButtonless: false)
            _ = try entry.begin(on: link)
            let failure = #expect(throws: UpdateFailure.self) { try entry.advance(after: outcome) }
            #expect(failure?.code == .device.unexpectedAnswer)
        }
    }
}
