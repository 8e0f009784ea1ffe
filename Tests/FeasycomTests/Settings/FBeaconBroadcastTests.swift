import TestSupport
import Testing
import UpdateModel

@testable import Feasycom

/// fbeacon.md, Broadcasts.
@Suite struct `The broadcasts of a Feasycom beacon` {
    private static let iBeacon = "0201061AFF4C000215FDA50693A4E24FB1AFCFC6EB0764782500010002FD"

    /// A beacon that answers ERROR to everything before the query for its broadcasts.
    private static func asked() throws -> PlayedDialogue<FBeaconSettings.Reading> {
        var played = try PlayedDialogue(FBeaconSettings.reading(of: ()))
        for _ in questions.dropLast() { try played.hear("ERROR\r\n") }
        #expect(played.written == "AT+BADVDATA\r\n")
        return played
    }

    /// The values read from an answer in these notifications, followed by silence.
    private static func read(_ parts: [[UInt8]]) throws -> [String: String] {
        var played = try asked()
        for part in parts where !played.isOver { try played.take(.value(part)) }
        if !played.isOver { try played.take(.timedOut) }
        let values = try #require(played.ending).values
        return Dictionary(uniqueKeysWithValues: values.map { ("\($0.key)", "\($0.value)") })
    }

    private static func read(_ parts: [String]) throws -> [String: String] {
        try read(parts.map { Array($0.utf8) })
    }

    /// All ten, with these values, and `00,0` for the rest.
    private static func all(_ told: [Int: String]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: (0..<10).map { ("BADVDATA[\($0)]", told[$0] ?? "00,0") })
    }

    @Test(arguments: [
        ["+BADVDATA=,0,\(iBeacon),1\r\n+BADVDATA=,1,020106,0\r\nOK\r\n"],
        ["\r\n+BADVDATA=,0,\(iBeacon),1\r\n\r\n+BADVDATA=,1,020106,0\r\n\r\n+BADVDATA=,2,00,0\r\n\r\nOK\r\n"],
        ["+BADVDATA=0,\(iBeacon),1\r\n", "+BADVDATA=1,020106,0\r\n", "OK\r\n"],
        ["+BADVDATA=,0,\(iBeacon),1\r\n\r\n,1,020106,0\r\n\r\nOK\r\n"],
        ["+BADVDATA=,1,020106,0\r\n+BADVDATA=,0,\(iBeacon.lowercased()),1\r\n", "OK"],
        ["OK\r\n", "+BADVDATA=,0,\(iBeacon),1\r\n+BUTTON=1\r\n,1,020106,0\r\nOK\r\n"],
    ]) func `are read from a line each, in any form of the lines`(parts: [String]) throws {
        #expect(try Self.read(parts) == Self.all([0: "\(Self.iBeacon),1", 1: "020106,0"]))
        let bytes = parts.flatMap { Array($0.utf8) }
        let pieces = stride(from: 0, to: bytes.count, by: 20).map {
            Array(bytes[$0..<min($0 + 20, bytes.count)])
        }
        if parts.first != "OK\r\n" {
            #expect(try Self.read(pieces) == Self.all([0: "\(Self.iBeacon),1", 1: "020106,0"]))
        }
    }

    @Test func `are not read from a part of an answer`() throws {
        let answer = Array("\r\n+BADVDATA=,0,\(Self.iBeacon),1\r\n\r\n+BADVDATA=,1,00,0\r\n\r\nOK".utf8)
        #expect(try Self.read([answer]) == Self.all([0: "\(Self.iBeacon),1"]))
        for length in answer.indices {
            #expect(throws: SessionFailure.self, "\(length)") {
                try Self.read(length == 0 ? [] : [Array(answer.prefix(length))])
            }
        }
    }

    @Test func `are ten, or a failure, whichever bit of the answer is wrong`() throws {
        let answer = Array("+BADVDATA=,0,020106,1\r\n\r\n+BADVDATA=,1,0201060302AAFE,0\r\n\r\nOK\r\n".utf8)
        let names = Set(Self.all([:]).keys)
        var (readings, failures) = (0, 0)
        for place in answer.indices {
            for bit in 0..<8 {
                var wrong = answer
                wrong[place] ^= 1 << bit
                var played = try Self.asked()
                do { try played.take(.value(wrong)) } catch {}
                if let values = played.ending?.values {
                    readings += 1
                    #expect(Set(values.keys.map { "\($0)" }) == names, "byte \(place), bit \(bit)")
                } else {
                    failures += 1
                }
            }
        }
        #expect(readings > 0 && failures > 0 && readings + failures == answer.count * 8)
    }

    @Test(arguments: [
        "+BADVDATA=,10,020106,1", "+BADVDATA=,,020106,1", "+BADVDATA=,x,020106,1", "+BADVDATA=,00,020106,1",
        "+BADVDATA=,0,020106", "+BADVDATA=,0,020106,1,1", "+BADVDATA=1,0,020106,1",
        "+BADVDATA=,0,020106,1\r\n+BADVDATA=,0,00,0", "+BADVDATA=,0,020106,1\r\nwhat",
    ]) func `are not guessed from an invalid line`(lines: String) throws {
        let failure = #expect(throws: SessionFailure.self) { try Self.read(["\(lines)\r\nOK\r\n"]) }
        #expect(failure?.code == .session.answerMalformed)
    }

    @Test func `are reported unchanged even if such a packet could not be set`() throws {
        let told = try Self.read(["+BADVDATA=,0,0201,1\r\n+BADVDATA=,1,zz,7\r\nOK\r\n"])
        #expect(told == Self.all([0: "0201,1", 1: "zz,7"]))
        #expect(try Self.read(["+BADVDATA=\r\nOK\r\n"]) == Self.all([:]))
    }

    @Test func `are set one by one, those that are switched off last`() throws {
        var talk = try SettingsTalk(
            to: "BADVDATA[0]: 00,0\nBADVDATA[1]: 0201060303aafe,1\nBADVDATA[2]: 020106,1\nTLM: 1")
        var values = ["TLM": "0", "BADVDATA[0]": "\(Self.iBeacon),1", "BADVDATA[2]": "020106,1"]
        try talk.play(&values)
        #expect(
            talk.sent == questions + ["AT+TLM=1", "AT+BADVDATA=1,0201060303AAFE,1", "AT+BADVDATA=0,00,0"]
                + questions)
        #expect(talk.played.ending?.map(\.path) == [.telemetry, .broadcast(0), .broadcast(1)])
    }

    /// The frame that identifies the beacon stays, so that it remains reachable.
    @Test func `may all be switched off`() throws {
        var talk = try SettingsTalk(to: "BADVDATA[0]: 00,0\nTLM: 0")
        var values = ["TLM": "1", "ADVIN": "1000", "BADVDATA[0]": "\(Self.iBeacon),1"]
        try talk.play(&values)
        #expect(talk.played.ending?.count == 2 && values["BADVDATA[0]"] == "00,0")
    }

    @Test func `that do not stay, or that a beacon does not have, are a failure`() throws {
        var talk = try SettingsTalk(to: "BADVDATA[0]: 020106,1")
        var values = ["BADVDATA[0]": "00,0"]
        let failure = #expect(throws: SessionFailure.self) { try talk.play(&values, keeping: false) }
        #expect(
            failure?.code == .session.settingsNotTaken
                && failure?.message == "BADVDATA[0] is 00,0, not 020106,1")
        var missing = try SettingsTalk(to: "BADVDATA[0]: 020106,1\nTLM: 1")
        try missing.answer("+NAME=FSC\r\nOK\r\n")
        for _ in questions.dropFirst() { try missing.answer("ERROR\r\n") }
        #expect(missing.sent.last == "AT+TLM=1")
        #expect(
            #expect(throws: SessionFailure.self) { try missing.answer("ERROR\r\n") }?.code
                == .session.refusedByDevice)
    }
}
