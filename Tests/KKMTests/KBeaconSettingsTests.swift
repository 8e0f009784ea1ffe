import Bytes
import TestSupport
import Testing
import UpdateModel

@testable import KKM

/// A KBeacon that reads and writes its settings in a table of answers.
fileprivate struct SettingsTalk {
    var played: PlayedDialogue<SettingsChange<KBeaconSettings>>
    /// The sent messages, as text.
    var sent: [String] = []

    init(_ change: SettingsChange<KBeaconSettings>) throws {
        played = try PlayedDialogue(change, writing: 244)
        note()
    }

    mutating func note() {
        guard case .request(let bytes, _, _, _) = played.command else { return }
        sent.append(String(decoding: bytes.dropFirst(3), as: UTF8.self))
    }

    /// Answers in the ack, or with a cause alone.
    mutating func answer(_ text: String = "", cause: UInt8 = 0, of group: UInt8 = 0) throws {
        let data = Array(text.utf8)
        let ack: [UInt8] = [0x23, UInt8(data.count >> 8), UInt8(data.count & 0xFF), 0, 0, group, cause]
        try played.take(.value(ack + data))
        note()
    }
}

private func settings(_ text: String) throws(YAMLProblem) -> KBeaconSettings {
    try KBeaconSettings(try YAMLValue(parsing: Array(text.utf8)), besides: [])
}

private func peer(_ text: String) throws -> KBeaconQuery.Peer {
    KBeaconQuery.Peer(
        terms: KBeaconHandshake.Terms(dataLength: 241),
        identity: try #require(KBeaconIdentity(answer: Array(text.utf8))))
}

private let second =
    #"{"model":"KBPro","ver":"V6.20","hver":"V3.0","bCap":524289,"minPwr":-40,"maxPwr":4}"#
private let first = #"{"modle":"K11_NRF52XX","ver":"V5.2","hver":"V3.0","bCap":1,"trCap":5}"#
private let adverts =
    #"{"name":"KBPro_1","nBlk":0,"advObj":[{"slot":0,"type":5,"conn":1,"advPrd":1000.0,"majorID":1},"#
    + #"{"slot":1,"type":0,"conn":true}]}"#

@Suite struct `Settings of a KBeacon` {
    fileprivate func change(
        _ text: String, _ identity: String = second, permitting: Set<LockOut> = []
    ) throws -> SettingsTalk {
        try SettingsTalk(
            SettingsChange(to: try settings(text), permitting: permitting, of: try peer(identity)))
    }

    @Test func `are read, written where they differ, and read again`() throws {
        var talk = try change("generation: 2\nname: Bench\nnBlk: 0\nadvObj: [{slot: 0, majorID: 0x10}]")
        try talk.answer(adverts)
        // Some have neither triggers nor sensors.
        try talk.answer(cause: 0x18, of: 1)
        try talk.answer(cause: 0x04, of: 1)
        try talk.answer()
        try talk.answer()
        try talk.answer(
            adverts.replacing("KBPro_1", with: "Bench").replacing(#""majorID":1"#, with: #""majorID":16"#))
        try talk.answer("{}")
        try talk.answer("{}")
        let questions = [
            #"{"msg":"getPara","type":3}"#, #"{"msg":"getPara","type":4}"#, #"{"msg":"getPara","type":8}"#,
        ]
        #expect(
            talk.sent == questions + [
                #"{"msg":"cfg","name":"Bench"}"#,
                #"{"msg":"cfg","advObj":[{"slot":0,"type":5,"majorID":16}]}"#,
            ] + questions)
        #expect(talk.played.ending?.map(\.path.description) == ["name", "advObj[0].majorID"])
    }

    @Test func `are queried and written in the format of the first generation`() throws {
        var talk = try change(
            "generation: 1\ndevName: Bench\nmajorID: 7\ntrObj: [{trType: 4, trATm: 30}]", first)
        try talk.answer(#"{"devName":"KB","majorID":6,"type":4,"advFlag":3}"#)
        try talk.answer(#"{"trObj":[{"trType":1,"trAct":0}]}"#)
        try talk.answer(#"{"trObj":[{"trType":4,"trATm":"0x14"}]}"#)
        try talk.answer()
        try talk.answer()
        #expect(
            talk.sent == [
                #"{"msg":"getPara","stype":55}"#, #"{"msg":"getPara","stype":64,"trType":1}"#,
                #"{"msg":"getPara","stype":64,"trType":4}"#,
                #"{"msg":"cfg","stype":36,"devName":"Bench","majorID":7}"#,
                #"{"msg":"cfg","stype":64,"trType":4,"trATm":30}"#, #"{"msg":"getPara","stype":55}"#,
            ])
    }

    @Test func `that already match are not written`() throws {
        var talk = try change("generation: 2\nname: KBPro_1\nadvObj: [{slot: 0, advPrd: 1000}]")
        try talk.answer(adverts)
        try talk.answer("{}")
        try talk.answer("{}")
        #expect(talk.played.ending == [] && talk.sent.count == 3)
    }

    @Test func `that do not stay are a failure`() throws {
        var talk = try change("generation: 2\nname: Bench")
        for answer in [adverts, "{}", "{}", "", adverts, "{}"] { try talk.answer(answer) }
        let failure = #expect(throws: SessionFailure.self) { try talk.answer("{}") }
        #expect(failure?.code == .session.settingsNotTaken)
        #expect(failure?.message == "name is KBPro_1, not Bench")
    }

    @Test(arguments: [
        ("advObj: [{slot: 0, conn: 0}]", "not-connectable"), ("advObj: [{slot: 0, trAdv: 1}]", "always-off"),
        ("advObj: [{slot: 0, type: 0}]", "always-off"), ("atPwr: 0", "always-off"),
        ("advObj: [{slot: 0, chMsk: 7}]", "all-channels-off"),
        ("advObj: [{slot: 1, chMsk: 7}]", "all-channels-off"),
        ("advObj: [{slot: 0, mode: 1}]", "no-legacy-adverts"),
        ("advObj: [{slot: 0, mode: 2}]", "no-legacy-adverts"),
    ]) func `that lock a beacon away are not written`(_ line: String, risk: String) throws {
        var talk = try change("generation: 2\n\(line)")
        try talk.answer(adverts)
        try talk.answer("{}")
        let failure = #expect(throws: SessionFailure.self) { try talk.answer("{}") }
        #expect(failure?.code == .session.locksBeaconAway && failure?.message.contains(risk) == true)
        var forced = try change("generation: 2\n\(line)", permitting: Set(LockOut.allCases))
        for answer in [adverts, "{}", "{}"] { try forced.answer(answer) }
        #expect(forced.sent.last?.hasPrefix(#"{"msg":"cfg""#) == true)
    }

    @Test func `that leave another way in are written`() throws {
        let two = adverts.replacing(#""type":0,"conn":true"#, with: #""type":1,"conn":true"#)
        for line in ["conn: 0", "trAdv: 1", "mode: 1", "type: 0"] {
            var talk = try change("generation: 2\nadvObj: [{slot: 0, \(line)}]")
            for answer in [two, "{}", "{}"] { try talk.answer(answer) }
            #expect(talk.sent.last?.hasPrefix(#"{"msg":"cfg""#) == true, "\(line)")
        }
    }

    @Test(arguments: [
        ("advFlag: 6", "not-connectable"), ("type: 0", "always-off"), ("advFlag: 1", "always-off"),
        ("trObj: [{trType: 2, trAct: 1, trAMode: 0}]", "always-off"),
        ("trObj: [{trType: 4, trAct: 1, trAMode: 4}]", "always-off"),
    ])
    func `that lock one of the first generation away are not written`(_ line: String, risk: String) throws {
        var talk = try change("generation: 1\n\(line)", first.replacing(#","trCap":5"#, with: ""))
        let failure = #expect(throws: SessionFailure.self) { try talk.answer(#"{"type":4,"advFlag":7}"#) }
        #expect(failure?.code == .session.locksBeaconAway && failure?.message.contains(risk) == true)
    }

    @Test func `of another generation are not written`() throws {
        let failure = #expect(throws: SessionFailure.self) { try change("generation: 1\ndevName: B") }
        #expect(failure?.code == .session.settingsForOthers)
    }

    @Test func `beyond the beacon's capabilities are not written`() throws {
        var talk = try change("generation: 2\nadvObj: [{slot: 0, txPwr: 8}]")
        for answer in [adverts, "{}"] { try talk.answer(answer) }
        let failure = #expect(throws: SessionFailure.self) { try talk.answer("{}") }
        #expect(failure?.code == .session.settingOutOfRange)
        #expect(failure?.message.hasPrefix("line 2, column") == true, "\(failure?.message ?? "")")
        // Existing values are left alone.
        var same = try change("generation: 2\nadvObj: [{slot: 0, txPwr: 8}]")
        for answer in [adverts.replacing(#""conn":1"#, with: #""conn":1,"txPwr":8"#), "{}", "{}"] {
            try same.answer(answer)
        }
        #expect(same.played.ending == [])
    }

    @Test(arguments: [
        ("trObj: [{trIdx: 0, trPara: 1001}]", "line 2, column", "a whole number from -50 to 1000"),
        (
            "trObj: [{trIdx: 0, unchecked: {trPara: 1001}}]", "line 2, column",
            "a whole number from -50 to 1000"
        ),
        ("advObj: [{slot: 0, unchecked: {advPrd: 1}}]", "line 2, column", "a number from 100 to 40000"),
        ("advObj: [{slot: 99, advPrd: 100}]", "line 2, column", "a whole number from 0 to 31"),
        ("srObj: [{srType: 1, model: 3}]", "line 2, column", "cannot be set"),
    ]) func `that were changed to values unknown to the maker are not written`(
        _ line: String, place: String, range: String
    ) throws {
        var talk = try change("generation: 2\n\(line)")
        try talk.answer(adverts)
        try talk.answer(#"{"trObj":[{"trIdx":0,"trType":8,"trPara":1500}]}"#)
        let failure = #expect(throws: SessionFailure.self) {
            try talk.answer(#"{"srObj":[{"srType":1,"model":2}]}"#)
        }
        #expect(failure?.code == .session.settingOutOfRange)
        let message = failure?.message ?? ""
        #expect(message.hasPrefix(place) && message.contains(range), "\(message)")
    }

    @Test func `wait for a beacon that is busy, within a limit`() throws {
        var talk = try change("generation: 2\nname: Bench")
        for _ in 0..<KBeaconExchanges.maximumPauses {
            try talk.answer(cause: 0x0C, of: 1)
            guard case .rest = talk.played.command else {
                Issue.record("\(talk.played.command)")
                return
            }
            try talk.played.take(.done)
        }
        let failure = #expect(throws: SessionFailure.self) { try talk.answer(cause: 0x0C, of: 1) }
        #expect(failure?.code == .session.beaconBusy)
    }

    @Test func `are refused if an answer is cut, and accepted or refused if it is changed`() throws {
        let text = Array(adverts.utf8)
        for count in 0..<text.count {
            var read = KBeaconSettings(.second)
            let isTaken = read.add(answer: text.prefix(count))
            #expect(!isTaken && read.values.isEmpty)
        }
        for index in text.indices {
            var flipped = text
            flipped[index] ^= 0x15
            var read = KBeaconSettings(.second)
            _ = read.add(answer: flipped)
        }
        var odd = KBeaconSettings(.second)
        let isTaken = odd.add(
            answer:
                Array(#"{"name":7,"advObj":{"slot":0},"trObj":[1,{"trIdx":1e99}],"nBlk":"x"}"#.utf8))
        #expect(isTaken)
        let told: [String: SettingValue] = [
            "name": .number(7), "advObj": .json(#"{"slot":0}"#), "trObj": .json(#"[1,{"trIdx":1e99}]"#),
            "nBlk": .text("x"),
        ]
        #expect(odd.values.count == told.count)
        for (key, value) in told {
            #expect(odd.values[KBeaconSettings.Path(entry: nil, key: key)] == value, "\(key)")
        }
    }
}

@Suite struct `A file of settings` {
    @Test func `is the written form of a beacon's settings`() throws {
        var found = KBeaconSettings(.second)
        let isTaken = found.add(
            answer:
                Array(adverts.replacing("KBPro_1", with: #"a\u0007\\\"b"#).utf8))
        #expect(isTaken)
        #expect(found.lines.contains(#"  "name": "a\u0007\\\"b""#), "\(found.lines)")
        found.values[KBeaconSettings.Path(entry: nil, key: "name")] = .text("Bench 7")
        #expect(try settings(found.lines.joined(separator: "\n")) == found)
    }

    @Test(arguments: [
        ("name: B", "'generation' is missing"), ("generation: 3\nname: B", "'3' is not one of 1, 2"),
        ("generation: 2", "the file contains no settings"), ("generation: 2\nnam: B", "unknown key 'nam'"),
        ("generation: 2\npwd: Bench-07", "a password is not a setting"),
        ("generation: 2\nname: \"\"", "1 to 18 characters"),
        ("generation: 2\nname: 'a\"b'", "without quotes"),
        ("generation: 2\nmeaPwr: 11", "from -100 to 10"),
        ("generation: 2\nadvObj: [{conn: 1}]", "'slot' is missing"),
        ("generation: 2\nadvObj: [{slot: 0}, {slot: 0}]", "slot 0 appears twice"),
        ("generation: 2\nadvObj: [{slot: 0, advPrd: 99}]", "from 100 to 40000"),
        ("generation: 2\nadvObj: [{slot: 0, advPrd: nan}]", "from 100 to 40000"),
        ("generation: 2\nadvObj: [{slot: 0, uuid: 12}]", "a UUID of 32"),
        ("generation: 2\nadvObj: [{slot: 0, nid: 0x12}]", "0x and 20 hexadecimal digits"),
        ("generation: 1\nname: B", "unknown key 'name'"),
        ("generation: 2\nunchecked: {pwd: Bench-07}", "a password is not a setting"),
        ("generation: 2\nunchecked: {model: K7}", "'model' is fixed in the beacon"),
        ("generation: 2\nname: B\nunchecked: {name: C}", "'name' appears twice"),
        ("generation: 2\nunchecked: {a: {b: 1, b: 2}}", "'b' appears twice"),
        ("generation: 2\nadvObj: [{slot: x}]", "a whole number is expected here"),
        ("generation: 2\nadvObj: [{slot: 0, unchecked: {slot: 1}}]", "'slot' appears twice"),
        ("generation: 2\ntrObj: [{trIdx: 0, trPara: 5, trType: 20}]", "from 100 to 43200000"),
        ("generation: 2\ntrObj: [{trIdx: 0, trType: 8, trPara: -51}]", "from -50 to 1000"),
    ]) func `reports where it is wrong`(_ text: String, words: String) {
        let problem = #expect(throws: YAMLProblem.self) { try settings(text) }
        #expect(problem?.message.contains(words) == true, "\(problem?.message ?? "")")
        #expect(problem?.line != nil)
    }
}
