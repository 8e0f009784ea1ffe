import TestSupport
import Testing
import UpdateModel

@testable import MCUboot

@Suite struct `A request over SMP` {
    private static func exchange(
        subscribing: Bool = false, after reassembly: SMPReassembly = SMPReassembly()
    ) -> SMPExchange {
        SMPExchange(
            .imageState, sequence: 5, within: .seconds(3), during: "asking", subscribing: subscribing,
            after: reassembly)
    }

    /// The result after these notifications, followed by silence.
    private static func hearing(
        _ parts: [[UInt8]], reassembly: SMPReassembly = SMPReassembly()
    ) throws(SessionFailure) -> SMPExchange.Ending {
        var played = try PlayedDialogue(exchange(after: reassembly))
        try played.take(.done)
        for part in parts where played.ending == nil { try played.take(.value(part)) }
        if played.ending == nil { try played.take(.timedOut) }
        return played.ending ?? .silence
    }

    private static let answer = ScriptedServer.frame(1, group: 1, sequence: 5, command: 0, Answers.pending)

    @Test func `is written without response after the subscription, and its answer is awaited`() throws {
        var played = try PlayedDialogue(Self.exchange(subscribing: true))
        #expect(played.command == .find(SMPService.characteristic))
        try played.take(.done)
        #expect(played.command == .subscribe(SMPService.characteristic))
        try played.take(.done)
        #expect(played.packet?.hex == "0800000100010500a0")
        try played.take(.done)
        #expect(played.command == .expect(from: SMPService.characteristic, within: .seconds(3)))
    }

    @Test func `is not sent to a beacon without the characteristic`() throws {
        var played = try PlayedDialogue(Self.exchange(subscribing: true))
        let failure = #expect(throws: SessionFailure.self) { try played.take(.absent) }
        #expect(failure?.code == .session.notOffered)
    }

    @Test(arguments: [1, 7, 20, 244]) func `takes its answer in pieces of any length`(length: Int) throws {
        let parts = stride(from: 0, to: Self.answer.count, by: length).map {
            Array(Self.answer[$0..<min($0 + length, Self.answer.count)])
        }
        guard case .answer(let content, let version) = try Self.hearing(parts) else {
            Issue.record("no answer")
            return
        }
        #expect(content.list("images")?.count == 2 && version == 1)
    }

    @Test(arguments: [(Answers.refused, nil, 8), (Answers.noSlot, 1, 9)] as [(String, Int?, Int)])
    func `may be refused in the form of either version`(content: String, group: Int?, code: Int) throws {
        for version: UInt8 in [0, 1] {
            let frame = ScriptedServer.frame(
                1, version: version, group: 1, sequence: 5, command: 0, content)
            #expect(
                try Self.hearing([frame]) == .refusal(SMPError(group: group, code: code), version: version))
        }
    }

    @Test func `is answered only by its own operation, group, command and number`() throws {
        let others = [
            ScriptedServer.frame(1, group: 1, sequence: 4, command: 0, "a0"),
            ScriptedServer.frame(1, group: 0, sequence: 5, command: 0, "a0"),
            ScriptedServer.frame(1, group: 1, sequence: 5, command: 1, "a0"),
            ScriptedServer.frame(3, group: 1, sequence: 5, command: 0, "a0"),
            ScriptedServer.frame(0, group: 1, sequence: 5, command: 0, "a0"),
        ]
        #expect(try Self.hearing(others) == .silence)
        guard case .answer(let content, _) = try Self.hearing(others + [Self.answer]) else {
            Issue.record("no answer")
            return
        }
        #expect(content.list("images")?.count == 2)
    }

    @Test func `fails if the beacon answers only others, or without end`() throws {
        let other = ScriptedServer.frame(1, group: 1, sequence: 4, command: 0, "a0")
        let strangers = #expect(throws: SessionFailure.self) {
            try Self.hearing([[UInt8]](repeating: other, count: 17))
        }
        #expect(strangers?.code == .session.answerMalformed)
        let empty = #expect(throws: SessionFailure.self) {
            try Self.hearing([[UInt8]](repeating: [], count: 2000))
        }
        #expect(empty?.code == .session.answerTooLong)
    }

    @Test func `has no result from a part of an answer`() throws {
        for part in Corruption.prefixes(of: Self.answer) where !part.isEmpty {
            let failure = #expect(throws: SessionFailure.self) { try Self.hearing([part]) }
            #expect(failure?.code == .session.answerMalformed, "\(part.count)")
        }
    }

    @Test func `never takes an answer that has changed for another one`() throws {
        for (index, bytes) in Corruption.flips(of: Self.answer) where index < 8 && ![1, 0].contains(index) {
            let ending = try? Self.hearing([bytes])
            #expect(ending == nil || ending == .silence, "\(index)")
        }
        for (index, bytes) in Corruption.flips(of: Self.answer) where index >= 8 {
            do { _ = try Self.hearing([bytes]) } catch {
                #expect(error.code == .session.answerMalformed, "\(index)")
            }
        }
    }

    @Test func `is limited in time as a whole`() throws {
        var played = try PlayedDialogue(Self.exchange(), pace: .milliseconds(900))
        try played.take(.done)
        for byte in Self.answer.prefix(3) { try played.take(.value([byte])) }
        #expect(played.command == .expect(from: SMPService.characteristic, within: .milliseconds(300)))
        #expect(throws: SessionFailure.self) { try played.take(.value([0])) }
    }

    @Test func `is not disturbed by the rest of a late answer`() throws {
        let late = ScriptedServer.frame(1, group: 1, sequence: 4, command: 0, Answers.pending)
        var reassembly = SMPReassembly()
        #expect(try reassembly.add(Array(late.prefix(100))) == nil)
        guard
            case .answer = try Self.hearing(
                [Array(late.dropFirst(100)), Self.answer], reassembly: reassembly)
        else {
            Issue.record("no answer")
            return
        }
    }
}
