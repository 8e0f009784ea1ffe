import Testing
import UpdateModel

@testable import Feasycom

@Suite struct `A Feasycom beacon that blinks or beeps` {
    private static func times(_ length: Duration) -> CommandTimes {
        CommandTimes(started: .zero, ended: length)
    }

    @Test func `has its light on for the given time, and its earlier setting afterwards`() throws {
        var held = try Held(FBeaconBlink(by: .light, for: .seconds(5)))
        #expect(held.written == "AT+LED\r\n")
        try held.hear("+LED=20\r\n\r\nOK\r\n")
        #expect(held.written == "AT+LED=5000\r\n")
        try held.hear("OK\r\n")
        #expect(held.wait == .milliseconds(5500))
        // Other notifications in between do not end it.
        held.dialogue.note(Self.times(.seconds(2)))
        try held.hear("+KEY=1\r\n")
        #expect(held.wait == .milliseconds(3500))
        held.dialogue.note(Self.times(.milliseconds(3500)))
        try held.take(.timedOut)
        #expect(held.written == "AT+LED=20\r\n")
        try held.hear("OK\r\n")
        #expect(held.isOver)
    }

    @Test(arguments: ["on", "", "-1", "99999999999", "20\u{0}"])
    func `gets no invalid number restored`(_ before: String) throws {
        var held = try Held(FBeaconBlink(by: .light, for: .milliseconds(200)))
        try held.hear("+LED=\(before)\r\nOK\r\n")
        try held.hear("OK\r\n")
        #expect(held.wait == .seconds(1))
        try held.take(.timedOut)
        #expect(held.isOver)
    }

    @Test func `beeps, and is silent again`() throws {
        var held = try Held(FBeaconBlink(by: .beep, for: .seconds(2)))
        #expect(held.written == "AT+BUZ=1,100\r\n")
        try held.hear("OK\r\n")
        try held.take(.timedOut)
        #expect(held.written == "AT+BUZ=0\r\n")
        try held.hear("OK\r\n")
        #expect(held.isOver)
    }

    @Test(arguments: [FBeaconBlink.Means.light, .beep]) func `reports that it cannot`(
        _ means: FBeaconBlink.Means
    )
        throws
    {
        var held = try Held(FBeaconBlink(by: means, for: .seconds(2)))
        #expect(
            #expect(throws: SessionFailure.self) { try held.hear("ERROR\r\n") }?.code == .session.notSupported
        )
    }

    @Test func `fails on endless notifications`() throws {
        var held = try Held(FBeaconBlink(by: .beep, for: .seconds(2)))
        try held.hear("OK\r\n")
        let failure = #expect(throws: SessionFailure.self) {
            for _ in 0...256 { try held.hear("+KEY=1\r\n") }
        }
        #expect(failure?.code == .session.answerMalformed)
    }
}
