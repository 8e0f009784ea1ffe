import TestSupport
import Testing
import UpdateModel

@testable import Feasycom

@Suite struct `A Feasycom beacon that blinks or beeps` {
    private static func times(_ length: Duration) -> CommandTimes {
        CommandTimes(started: .zero, ended: length)
    }

    @Test func `has its light on for the given time, and its earlier setting afterwards`() throws {
        var played = try PlayedDialogue(FBeaconBlink(by: .light, for: .seconds(5)))
        #expect(played.written == "AT+LED\r\n")
        try played.hear("+LED=20\r\n\r\nOK\r\n")
        #expect(played.written == "AT+LED=5000\r\n")
        try played.hear("OK\r\n")
        #expect(played.wait == .milliseconds(5500))
        // Other notifications in between do not end it.
        played.dialogue.note(Self.times(.seconds(2)))
        try played.hear("+KEY=1\r\n")
        #expect(played.wait == .milliseconds(3500))
        played.dialogue.note(Self.times(.milliseconds(3500)))
        try played.take(.timedOut)
        #expect(played.written == "AT+LED=20\r\n")
        try played.hear("OK\r\n")
        #expect(played.isOver)
    }

    @Test(arguments: ["on", "", "-1", "99999999999", "20\u{0}"])
    func `gets no invalid number restored`(_ before: String) throws {
        var played = try PlayedDialogue(FBeaconBlink(by: .light, for: .milliseconds(200)))
        try played.hear("+LED=\(before)\r\nOK\r\n")
        try played.hear("OK\r\n")
        #expect(played.wait == .seconds(1))
        try played.take(.timedOut)
        #expect(played.isOver)
    }

    @Test func `beeps, and is silent again`() throws {
        var played = try PlayedDialogue(FBeaconBlink(by: .beep, for: .seconds(2)))
        #expect(played.written == "AT+BUZ=1,100\r\n")
        try played.hear("OK\r\n")
        try played.take(.timedOut)
        #expect(played.written == "AT+BUZ=0\r\n")
        try played.hear("OK\r\n")
        #expect(played.isOver)
    }

    @Test(arguments: [FBeaconBlink.Means.light, .beep]) func `reports that it cannot`(
        _ means: FBeaconBlink.Means
    )
        throws
    {
        var played = try PlayedDialogue(FBeaconBlink(by: means, for: .seconds(2)))
        #expect(
            #expect(throws: SessionFailure.self) { try played.hear("ERROR\r\n") }?.code
                == .session.notSupported
        )
    }

    @Test func `fails on endless notifications`() throws {
        var played = try PlayedDialogue(FBeaconBlink(by: .beep, for: .seconds(2)))
        try played.hear("OK\r\n")
        let failure = #expect(throws: SessionFailure.self) {
            for _ in 0...256 { try played.hear("+KEY=1\r\n") }
        }
        #expect(failure?.code == .session.answerMalformed)
    }
}
