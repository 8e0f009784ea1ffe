import Bytes
import TestSupport
import Testing
import UpdateModel

@testable import Feasycom

func settings(_ text: String) throws(YAMLProblem) -> FBeaconSettings {
    try FBeaconSettings(try YAMLValue(parsing: Array(text.utf8)), besides: [])
}

/// A Feasycom beacon that reads and writes its settings in a table of values.
struct SettingsTalk {
    var played: PlayedDialogue<SettingsChange<FBeaconSettings>>
    /// The written text, without its line end.
    var sent: [String] = []

    init(to text: String, permitting: Set<LockOut> = []) throws {
        played = try PlayedDialogue(
            SettingsChange(to: try settings(text), permitting: permitting, of: ()), writing: 100)
        note()
    }

    mutating func note() { if let line = played.written { sent.append(line.replacing("\r\n", with: "")) } }

    mutating func answer(_ text: String) throws {
        try played.hear(text)
        note()
    }

    private static func keep(_ value: String, as name: String, in values: inout [String: String]) {
        guard name == "BADVDATA" else { return values[name] = value }
        let parts = value.split(separator: ",", maxSplits: 1).map(String.init)
        values["BADVDATA[\(parts[0])]"] = parts[1]
    }

    /// Answers every query from `values`, with ERROR if there is no value, and with OK to everything else, until no
    /// command is left. Stores what is set if `keeps` is true.
    mutating func play(_ values: inout [String: String], keeping keeps: Bool = true) throws {
        while let line = played.written {
            let parts = line.dropFirst(3).replacing("\r\n", with: "").split(separator: "=", maxSplits: 1).map(
                String.init)
            if parts.count == 2 {
                if keeps { Self.keep(parts[1], as: parts[0], in: &values) }
                try answer("OK\r\n")
            } else if parts[0] == "BADVDATA" {
                let rows = (0..<10).compactMap { number in
                    values["BADVDATA[\(number)]"].map { "+BADVDATA=,\(number),\($0)\r\n\r\n" }
                }
                try answer(rows.isEmpty ? "ERROR\r\n" : rows.joined() + "OK\r\n")
            } else {
                try answer(values[parts[0]].map { "+\(parts[0])=\($0)\r\n\r\nOK\r\n" } ?? "ERROR\r\n")
            }
        }
    }
}

let questions = ["NAME", "ADVIN", "TXPOWER", "KEYCFG", "GSCFG", "BWMODE", "TLM", "BADVDATA"].map {
    "AT+\($0)"
}

@Suite struct `Settings of a Feasycom beacon` {
    @Test func `are read, set where they differ, and read again`() throws {
        var talk = try SettingsTalk(to: "NAME: Shelf 7\nADVIN: 500\nTXPOWER: b\nKEYCFG: 500,3000")
        var values = ["NAME": "FSC", "ADVIN": "0500", "TXPOWER": "7", "KEYCFG": "500, 3000", "BWMODE": "0"]
        try talk.play(&values)
        #expect(
            talk.sent == questions + ["AT+NAME=Shelf 7", "AT+TXPOWER=B", "AT+KEYCFG=500,3000"] + questions)
        #expect(talk.played.ending?.map(\.path) == [.name, .power, .button])
        #expect(values["TXPOWER"] == "B")
    }

    @Test func `outside the guide's ranges are kept in their file, and refused if they would change`()
        throws
    {
        var found = FBeaconSettings()
        for (key, text) in [
            (FBeaconSettings.Key.interval, "50"), (.name, "Füll"), (.power, "7"), (.button, "1,2"),
        ] {
            found.values[key] = key.reported(text)
        }
        #expect(found.unchecked == [.name, .interval, .button])
        let text = found.lines.joined(separator: "\n")
        #expect(text.contains("unchecked:\n  NAME: \"Füll\""), "\(text)")
        #expect(try settings(text) == found)
        var same = try SettingsTalk(to: text)
        var values = ["NAME": "Füll", "ADVIN": "50", "TXPOWER": "7", "KEYCFG": "1,2"]
        try same.play(&values)
        #expect(same.played.ending == [])
        var other = try SettingsTalk(to: "unchecked: {ADVIN: 51}")
        let failure = #expect(throws: SessionFailure.self) { try other.play(&values) }
        #expect(failure?.code == .session.settingOutOfRange)
        #expect(failure?.message.hasPrefix("line 1, column") == true, "\(failure?.message ?? "")")
        #expect(throws: YAMLProblem.self) { try settings("unchecked: {PIN: 1}") }
        #expect(throws: YAMLProblem.self) { try settings("ADVIN: 500\nunchecked: {ADVIN: 5}") }
    }

    @Test func `that already match are not set`() throws {
        var talk = try SettingsTalk(to: "NAME: FSC\nADVIN: 1000")
        var values = ["NAME": "FSC", "ADVIN": "1000"]
        try talk.play(&values)
        #expect(talk.played.ending == [] && talk.sent == questions)
    }

    @Test func `are found under either key for the name`() throws {
        var played = try PlayedDialogue(FBeaconSettings.reading(of: ()))
        try played.hear("\r\n+LENAME=FSC_BP104\r\n\r\nOK\r\n")
        for _ in questions.dropFirst() { try played.hear("ERROR\r\n") }
        #expect(played.ending?.values == [.name: .text("FSC_BP104")])
    }

    @Test func `that do not stay, or that a beacon does not have, are a failure`() throws {
        var talk = try SettingsTalk(to: "ADVIN: 500")
        var values = ["ADVIN": "1000"]
        let failure = #expect(throws: SessionFailure.self) { try talk.play(&values, keeping: false) }
        #expect(failure?.code == .session.settingsNotTaken && failure?.message == "ADVIN is 1000, not 500")
        var missing = try SettingsTalk(to: "GSCFG: 500,3000")
        try missing.answer("+NAME=FSC\r\nOK\r\n")
        for _ in questions.dropFirst() { try missing.answer("ERROR\r\n") }
        #expect(missing.sent.last == "AT+GSCFG=500,3000")
        #expect(
            #expect(throws: SessionFailure.self) { try missing.answer("ERROR\r\n") }?.code
                == .session.refusedByDevice)
    }

    @Test func `end with one error if a beacon answers only ERROR`() throws {
        var played = try PlayedDialogue(FBeaconSettings.reading(of: ()))
        for _ in questions.dropFirst() { try played.hear("ERROR\r\n") }
        #expect(
            #expect(throws: SessionFailure.self) { try played.hear("ERROR\r\n") }?.code
                == .session.refusedByDevice)
    }

    @Test(arguments: [
        ("BWMODE: 1", ["NAME": "FSC", "BWMODE": "0"], "not-connectable"),
        ("ADVIN: 0", ["ADVIN": "1000", "KEYCFG": "0,0"], "always-off"),
        ("KEYCFG: '0,0'", ["ADVIN": "0", "KEYCFG": "500,3000"], "always-off"),
    ]) func `that lock a beacon away are set only if the risk is accepted`(
        text: String, found: [String: String], risk: String
    ) throws {
        var talk = try SettingsTalk(to: text)
        var values = found
        let failure = #expect(throws: SessionFailure.self) { try talk.play(&values) }
        #expect(failure?.code == .session.locksBeaconAway && failure?.message.hasSuffix(risk) == true)
        #expect(talk.sent == questions)
        var insisted = try SettingsTalk(to: text, permitting: [try #require(LockOut(rawValue: risk))])
        try insisted.play(&values)
        #expect(insisted.played.ending?.count == 1)
    }

    @Test func `that take something away are set last`() throws {
        var talk = try SettingsTalk(to: "ADVIN: 0\nKEYCFG: 500,3000")
        var values = ["ADVIN": "1000", "KEYCFG": "0,0"]
        try talk.play(&values)
        #expect(talk.sent.dropFirst(questions.count).prefix(2) == ["AT+KEYCFG=500,3000", "AT+ADVIN=0"])
    }

    @Test(arguments: [
        "NAME: ''", "NAME: 'A name of thirty bytes, too lo'", "NAME: Größe", "NAME: \"a\\r\\nAT+PIN=1\"",
        "ADVIN: 99", "ADVIN: 10001", "ADVIN: -1", "ADVIN: 1e3", "ADVIN: ten", "TXPOWER: 21", "TXPOWER: -41",
        "TXPOWER: G", "TXPOWER: AB", "BWMODE: 2", "KEYCFG: 500", "KEYCFG: 99,3000", "KEYCFG: 500,65536",
        "KEYCFG: 500,0", "KEYCFG: 500,3000,1", "GSCFG: ''", "PIN: 1234", "NAME: [a]", "{}", "LED: 5",
        "name: a",
        "ADVIN: 99999999999999999999", "TLM: 2", "TLM: 'on'", "BADVDATA: 00,0", "BADVDATA[10]: 00,0",
        "BADVDATA[-1]: 00,0", "BADVDATA[01]: 00,0", "BADVDATA[0]: 00,1", "BADVDATA[0]: '020106'",
        "BADVDATA[0]: 020106,2", "BADVDATA[0]: 020106,1,1", "BADVDATA[0]: ',1'", "BADVDATA[0]: 02010,1",
        "BADVDATA[0]: 0201XX,1", "BADVDATA[0]: 0201,1", "BADVDATA[0]: 030106,0", "BADVDATA[0]: 02010600,1",
        "BADVDATA[0]: 1FFF\(String(repeating: "00", count: 30)),1",
    ]) func `outside their range or of an invalid form are refused with their place`(text: String) {
        #expect(throws: YAMLProblem.self) { try settings(text) }
    }

    @Test func `make a file that reads back the same`() throws {
        let all = try settings(
            "NAME: \"Shelf \\\"7\\\"\"\nADVIN: 500\nTXPOWER: -8\nKEYCFG: 500,3000\nGSCFG: 0,0\nBWMODE: 0\n"
                + "TLM: 1\nBADVDATA[9]: 00,0\nBADVDATA[0]: 0201060303aafe,0\nBADVDATA[3]: 01FF,1")
        #expect(try settings(all.lines.joined(separator: "\n")) == all)
        #expect(all.lines.count == 10)
        #expect(all.lines.suffix(3).first == #"BADVDATA[0]: "0201060303AAFE,0""#)
    }
}
