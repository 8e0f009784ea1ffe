import Sessions
import Testing

@testable import FBeacon

@Suite struct `Opening the session of a Feasycom beacon` {
    private static let pin = "407152"

    private static func asked(
        _ authenticator: any FBeaconAuthenticator = NoAuthentication()
    ) throws -> Held<FBeaconQuery> {
        var held = try Held(FBeaconQuery(by: authenticator))
        #expect(held.command.isFind)
        try held.take(.done)
        try held.take(.done)
        return held
    }

    private static func withPIN() throws -> Held<FBeaconQuery> {
        try asked(try #require(PlainPIN(Secret(pin))))
    }

    @Test(arguments: ["$OK,Opened$", "Opened", "\r\n$OK,Opened$\r\n"]) func `ends with the engine's word`(
        answer: String
    ) throws {
        var held = try Self.asked()
        #expect(held.written == "$OpenFscAtEngine$")
        try held.hear(answer)
        #expect(held.isOver)
    }

    @Test func `takes a word in pieces, and none for it that is another`() throws {
        var held = try Self.asked()
        for part in ["+KEY=1\r\n", "OK\r\n", "$OK,Op", "ened$"] {
            #expect(!held.isOver)
            try held.hear(part)
        }
        #expect(held.isOver)
    }

    @Test func `tells the PIN to a beacon that has opened its engine, and not before`() throws {
        var held = try Self.withPIN()
        #expect(held.written?.contains(Self.pin) == false)
        try held.hear("$OK,Opened$")
        #expect(held.written == "AT+PIN=\(Self.pin)\r\n")
        try held.hear("OK\r\n")
        #expect(held.isOver)
    }

    @Test func `fails by a wrong PIN, a busy beacon, and no session`() throws {
        var wrong = try Self.withPIN()
        try wrong.hear("Opened")
        let refused = #expect(throws: SessionFailure.self) { try wrong.hear("ERROR\r\n") }
        #expect(refused?.code == .passwordWrong)
        var busy = try Self.withPIN()
        #expect(#expect(throws: SessionFailure.self) { try busy.hear("$ERROR$") }?.code == .beaconBusy)
        var held = try Held(FBeaconQuery(by: NoAuthentication()))
        #expect(#expect(throws: SessionFailure.self) { try held.take(.absent) }?.code == .notOffered)
    }

    @Test func `tells nobody the PIN`() throws {
        for answer in ["ERROR", "AT+PIN=\(Self.pin)\r\n", "+PIN=\(Self.pin)\r\n"] {
            var held = try Self.withPIN()
            try held.hear("Opened")
            let failure = #expect(throws: SessionFailure.self) {
                try held.hear(answer)
                try held.take(.timedOut)
            }
            let failed = try #require(failure)
            #expect(!"\(failed)".contains(Self.pin))
        }
        var dumped = ""
        dump(try #require(PlainPIN(Secret(Self.pin))), to: &dumped)
        #expect(!dumped.contains(Self.pin) && !dumped.contains("52, 48, 55"))
    }

    @Test(arguments: ["", "12a4", "1234\r\nAT+NAME=x", "１２３４"])
    func `takes digits for a PIN and nothing else`(
        pin: String
    ) {
        #expect(PlainPIN(Secret(pin)) == nil)
    }

    /// What a program of somebody's own may bring.
    private struct Challenge: FBeaconAuthenticator {
        mutating func begin(on link: LinkFacts) -> DialogueStep<Void, Never> {
            DialogueStep(.request([0x51], on: requests, answerOn: answers, within: .seconds(1)))
        }
        mutating func note(_ times: CommandTimes) {}
        mutating func advance(after outcome: DialogueOutcome) throws(SessionFailure) -> DialogueStep<
            Void, Never
        > {
            guard outcome == .value([0x52]) else {
                throw SessionFailure(.authenticationRefused, during: "the challenge", "refused")
            }
            return DialogueStep(.end(()))
        }
    }

    @Test func `lets another authenticator speak`() throws {
        var held = try Self.asked(Challenge())
        try held.hear("Opened")
        #expect(held.written == "Q")
        try held.hear("R")
        #expect(held.isOver)
        var refused = try Self.asked(Challenge())
        try refused.hear("Opened")
        #expect(
            #expect(throws: SessionFailure.self) { try refused.hear("N") }?.code == .authenticationRefused)
    }
}

extension DialogueCommand {
    fileprivate var isFind: Bool { if case .find(requests) = self { true } else { false } }
}
