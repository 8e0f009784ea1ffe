import TestSupport
import Testing
import UpdateModel

@testable import Feasycom

@Suite struct `A command to a Feasycom beacon` {
    private static func asking() throws -> PlayedDialogue<FBeaconExchange> {
        try PlayedDialogue(FBeaconExchange(try #require(.asking(for: "NAME")), during: "asking"))
    }

    /// The value read from these notifications, followed by silence.
    private static func hearing(_ parts: [String]) throws -> String? {
        var played = try asking()
        for part in parts where !played.isOver { try played.hear(part) }
        if !played.isOver { try played.take(.timedOut) }
        return try #require(played.ending)
    }

    @Test func `is written with the end of its line`() throws {
        #expect(try Self.asking().written == "AT+NAME\r\n")
        let set = try PlayedDialogue(
            FBeaconExchange(try #require(.setting("NAME", to: "Shelf 7")), during: "setting"))
        #expect(set.written == "AT+NAME=Shelf 7\r\n")
    }

    @Test(arguments: [
        ["\r\n+NAME=Shelf\r\n\r\nOK\r\n"], ["+NAME=Shelf\r\nOK"], ["+NAME=Shelf", "OK"],
        ["+NAME=Shelf\r\n", "\r\nOK\r\n"], ["+NA", "ME=Sh", "elf\r", "\nO", "K\r\n"],
        ["+BUTTON=1\r\n", "+NAME=Shelf\r\nOK\r\n"], ["OK\r\n", "+NAME=Shelf\r\nOK\r\n"],
        ["AT+NAME\r\n", "+NAME=Shelf\r\n", "OK\r\n"], ["+NAMES=9\r\nOK\r\n", "+NAME=Shelf\nOK\n"],
    ]) func `accepts its answer in any pieces, after any other bytes`(parts: [String]) throws {
        #expect(try Self.hearing(parts) == "Shelf")
    }

    @Test func `accepts a value that looks like an end`() throws {
        #expect(try Self.hearing(["+NAME=", "OK\r\n", "OK\r\n"]) == "OK")
        #expect(try Self.hearing(["+NAME=OK\r\nOK\r\n"]) == "OK")
    }

    @Test func `has no result from a part of an answer`() throws {
        let answer = "\r\n+NAME=Shelf\r\n\r\nOK"
        for length in 0..<answer.unicodeScalars.count {
            let part = String(decoding: Array(answer.utf8).prefix(length), as: UTF8.self)
            let failure = #expect(throws: SessionFailure.self) {
                try Self.hearing(length == 0 ? [] : [part])
            }
            #expect(failure?.code == (length == 0 ? .device.noAnswer : .session.answerMalformed), "\(length)")
        }
    }

    @Test func `fails on a refusal, and on a device that never stops`() throws {
        #expect(
            #expect(throws: SessionFailure.self) { try Self.hearing(["\r\nERROR\r\n"]) }?.code
                == .session.refusedByDevice)
        let endless = [String](repeating: String(repeating: "x", count: 20), count: 400)
        #expect(
            #expect(throws: SessionFailure.self) { try Self.hearing(endless) }?.code == .session.answerTooLong
        )
        let empty = [String](repeating: "", count: 600)
        #expect(
            #expect(throws: SessionFailure.self) { try Self.hearing(empty) }?.code == .session.answerTooLong)
    }

    @Test func `allows three seconds for the whole answer`() throws {
        var played = try Self.asking()
        for second in 0..<3 {
            played.dialogue.note(
                CommandTimes(started: .seconds(second), ended: .milliseconds(second * 1000 + 900)))
            try played.hear("+X=1\r\n")
            #expect(
                played.command == .expect(from: answers, within: .milliseconds(3000 - (second + 1) * 900)))
        }
        played.dialogue.note(CommandTimes(started: .seconds(3), ended: .milliseconds(3300)))
        #expect(throws: SessionFailure.self) { try played.hear("+X=1\r\n") }
    }

    @Test(arguments: ["", "NA ME", "NAME\r\nAT+PIN=1", "name", "+"]) func `has a name of its kind`(
        name: String
    ) {
        #expect(FBeaconCommand.asking(for: name) == nil)
        #expect(FBeaconCommand.setting(name, to: "1") == nil)
        #expect(FBeaconCommand.setting("NAME", to: "a\(name)\r\nAT") == nil)
    }

    @Test(arguments: [(20, 2), (10, 4), (37, 1), (36, 2), (244, 1), (0, 37)])
    func `is split into writes that the link accepts`(length: Int, count: Int) throws {
        let name = "A name of twenty-seven byte"
        let command = try #require(FBeaconCommand.setting("NAME", to: name))
        var played = try PlayedDialogue(FBeaconExchange(command, during: "setting"), writing: length)
        var parts: [String] = []
        while let part = played.written {
            parts.append(part)
            guard case .write = played.command else { break }
            try played.take(.done)
        }
        #expect(parts.count == count && parts.joined() == "AT+NAME=\(name)\r\n", "\(parts)")
        #expect(parts.allSatisfy { $0.utf8.count <= max(length, 1) })
        try played.hear("OK\r\n")
        #expect(played.isOver)
    }
}
