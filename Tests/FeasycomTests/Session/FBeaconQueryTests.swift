import TestSupport
import Testing
import UpdateModel

@testable import Feasycom

@Suite struct `Opening the session of a Feasycom beacon` {
    private static let pin = "407152"

    private static func asked(
        _ authenticator: any FBeaconAuthenticator = KnownResult(())
    ) throws -> PlayedDialogue<FBeaconQuery> {
        var played = try PlayedDialogue(FBeaconQuery(by: authenticator))
        #expect(played.command.isFind)
        try played.take(.done)
        try played.take(.done)
        return played
    }

    private static func withPIN() throws -> PlayedDialogue<FBeaconQuery> {
        try asked(try #require(PlainPIN(Secret(pin))))
    }

    @Test(arguments: ["$OK,Opened$", "Opened", "\r\n$OK,Opened$\r\n"])
    func `ends with the answer of the beacon's engine`(
        answer: String
    ) throws {
        var played = try Self.asked()
        #expect(played.written == "$OpenFscAtEngine$")
        try played.hear(answer)
        #expect(played.isOver)
    }

    @Test func `accepts this answer in pieces, and no other one`() throws {
        var played = try Self.asked()
        for part in ["+KEY=1\r\n", "OK\r\n", "$OK,Op", "ened$"] {
            #expect(!played.isOver)
            try played.hear(part)
        }
        #expect(played.isOver)
    }

    @Test func `sends the PIN only after the beacon has opened its engine`() throws {
        var played = try Self.withPIN()
        #expect(played.written?.contains(Self.pin) == false)
        try played.hear("$OK,Opened$")
        #expect(played.written == "AT+PIN=\(Self.pin)\r\n")
        try played.hear("OK\r\n")
        #expect(played.isOver)
    }

    @Test func `fails with a wrong PIN, a busy beacon, or no session`() throws {
        var wrong = try Self.withPIN()
        try wrong.hear("Opened")
        let refused = #expect(throws: SessionFailure.self) { try wrong.hear("ERROR\r\n") }
        #expect(refused?.code == .session.passwordWrong)
        var busy = try Self.withPIN()
        #expect(
            #expect(throws: SessionFailure.self) { try busy.hear("$ERROR$") }?.code == .session.beaconBusy)
        var played = try PlayedDialogue(FBeaconQuery(by: KnownResult(())))
        #expect(
            #expect(throws: SessionFailure.self) { try played.take(.absent) }?.code == .session.notOffered)
    }

    @Test func `never prints the PIN`() throws {
        for answer in ["ERROR", "AT+PIN=\(Self.pin)\r\n", "+PIN=\(Self.pin)\r\n"] {
            var played = try Self.withPIN()
            try played.hear("Opened")
            let failure = #expect(throws: SessionFailure.self) {
                try played.hear(answer)
                try played.take(.timedOut)
            }
            let failed = try #require(failure)
            #expect(!"\(failed)".contains(Self.pin))
        }
        var dumped = ""
        dump(try #require(PlainPIN(Secret(Self.pin))), to: &dumped)
        #expect(!dumped.contains(Self.pin) && !dumped.contains("52, 48, 55"))
    }

    @Test(arguments: ["", "12a4", "1234\r\nAT+NAME=x", "１２３４"])
    func `accepts only digits as a PIN`(
        pin: String
    ) {
        #expect(PlainPIN(Secret(pin)) == nil)
    }

    /// A custom authenticator of another program.
    private struct Challenge: FBeaconAuthenticator {
        mutating func begin(on link: LinkFacts) -> DialogueStep<Void, Never> {
            DialogueStep(.request([0x51], on: requests, answerOn: answers, within: .seconds(1)))
        }
        mutating func note(_ times: CommandTimes) {}
        mutating func advance(after outcome: DialogueOutcome) throws(SessionFailure) -> DialogueStep<
            Void, Never
        > {
            guard outcome == .value([0x52]) else {
                throw SessionFailure(.session.authenticationRefused, during: "the challenge", "refused")
            }
            return DialogueStep(.end(()))
        }
    }

    @Test func `allows another authenticator`() throws {
        var played = try Self.asked(Challenge())
        try played.hear("Opened")
        #expect(played.written == "Q")
        try played.hear("R")
        #expect(played.isOver)
        var refused = try Self.asked(Challenge())
        try refused.hear("Opened")
        #expect(
            #expect(throws: SessionFailure.self) { try refused.hear("N") }?.code
                == .session.authenticationRefused)
    }
}

extension DialogueCommand {
    fileprivate var isFind: Bool { if case .find(requests) = self { true } else { false } }
}
