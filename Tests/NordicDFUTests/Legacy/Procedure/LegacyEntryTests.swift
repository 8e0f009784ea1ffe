import Sessions
import Testing
import UpdateCore

@testable import NordicDFU

@Suite struct `Sending a Legacy application to its bootloader` {
    private let link = LinkFacts(maximumWriteLength: 20)

    @Test func `turns notifications on and says Start`() throws {
        var entry = LegacyEntry()
        #expect(entry.doors == [LegacyService.controlPoint])
        let begin = try entry.begin(on: link)
        #expect(begin.command == .subscribe(LegacyService.controlPoint))
        #expect(begin.notices == [.phase(.enteringBootloader)])
        #expect(entry.linkEnded() == .staying)
        #expect(try entry.advance(after: .done).command == .write([1, 4], on: LegacyService.controlPoint))
        let departure = Departure(
            appearances: [.nextAddress, .sameAddress], name: nil, mayBeInaudible: true)
        #expect(entry.linkEnded() == .leaving(departure))
        #expect(try entry.advance(after: .done).command == .end(departure))
        #expect(entry.linkEnded() == .leaving(departure))
    }

    @Test func `ends where an outcome belongs to nothing`() throws {
        for outcome in [DialogueOutcome.timedOut, .absent, .value([1])] {
            var entry = LegacyEntry()
            _ = try entry.begin(on: link)
            let failure = #expect(throws: UpdateFailure.self) { try entry.advance(after: outcome) }
            #expect(failure?.code == .unexpectedAnswer)
        }
    }
}
