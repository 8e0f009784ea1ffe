import Bluetooth
import FoundationEssentials
import TestSupport
import Testing

@testable import Simulation

@Suite struct `A KBeacon of a scenario` {
    static func described(_ keys: String) throws -> NordicDescription {
        let text = "beacons: [{kind: kbeacon, address: 'BC:57:29:02:45:9F/public', \(keys)}]"
        return try #require(`A scenario file`.scenario(text).nordic.first).description
    }

    static func session(_ keys: String) throws -> KBeaconDescription {
        try #require(described("session: {\(keys)}").kbeacon)
    }

    @Test func `is of the second generation by default`() throws {
        let beacon = try Self.described("")
        #expect(beacon.kbeacon == KBeaconDescription(.second))
        #expect(beacon.program == .application && beacon.buttonless == .named && beacon.softDevice == 0x98)
        #expect(beacon.address.kind == .public && beacon.bootloaderAddress.description == "BC:57:29:02:45:A0")
        #expect(beacon.name == "KBPro_000000")
        let advertiser = try #require(beacon.advertising?.advertiser as? KKMAdvertiser)
        #expect(advertiser.name == "KBPro_000000" && advertiser.version == TwoPartVersion(6, 20))
    }

    @Test func `has the keys of its adverts and of its bootloader`() throws {
        let beacon = try Self.described(
            "generation: 1, version: '5.2', battery: 109, model: 7, name: Shelf 7, uuid: "
                + "F7826DA6-4FA2-4E98-8024-BC5B71E0893E, period_ms: 500, frames: [ibeacon], connectable: after-click, "
                + "mode: bootloader, bootloader_address: 'F0:0D:BE:AC:07:11', personality: sdk-15.3, key: test, "
                + "hardware: 51, application_version: 620, buttonless: sdk-13, rssi: -70, battery_mv: 2900")
        let session = try #require(beacon.kbeacon)
        #expect(session.generation == .first && session.version == "V5.2" && session.battery == 109)
        #expect(beacon.program == .bootloader && beacon.bootloaderAddress.kind == .random)
        #expect(beacon.hardwareVersion == 51 && beacon.applicationVersion == 620 && beacon.key != nil)
        #expect(beacon.buttonless == .nameless && beacon.rssi == -70)
        let plan = try #require(beacon.advertising)
        #expect(plan.period == .milliseconds(500) && plan.slots.map(\.content) == [.frame(.iBeacon)])
        #expect(plan.window.rule == .afterClick)
        let advertiser = try #require(plan.advertiser as? KKMAdvertiser)
        #expect(advertiser.model == 7 && advertiser.generation == 1 && advertiser.battery == 109)
        #expect(advertiser.name == "Shelf 7" && advertiser.standard.batteryMillivolts == 2900)
        #expect(advertiser.standard.uuid.description.hasPrefix("F7826DA6"))
    }

    @Test func `may advertise something else`() throws {
        let beacon = try Self.described("advertises: {kind: kkm, version: '5.2'}, session: {version: V5.02}")
        #expect((beacon.advertising?.advertiser as? KKMAdvertiser)?.version == TwoPartVersion(5, 2))
        #expect(beacon.kbeacon?.version == "V5.02")
    }

    @Test func `has a session that its keys describe`() throws {
        var wanted = KBeaconDescription(.second)
        wanted.model = "K7_NRF52XX"
        wanted.version = "V6.02"
        wanted.updatedVersion = "V6.31"
        wanted.hardware = "V2.0"
        wanted.serial = "K0001"
        wanted.capabilities = 0xFF0F
        wanted.triggerCapabilities = 3
        wanted.slots = 3
        wanted.triggers = 2
        wanted.password = "Bench-07"
        wanted.factoryName = "KBPro_214810"
        wanted.keepsSettings = false
        (wanted.buttonlessNeedsSession, wanted.buttonlessRefusesSession) = (true, true)
        wanted.seed = 7
        wanted.foreignRead = .refusal
        wanted.busyCommands = 2
        wanted.acceptsImpossibleBeeps = true
        wanted.fillsSystemID = true
        let identity =
            "model: K7_NRF52XX, version: V6.02, updated_version: V6.31, hardware: V2.0, serial: K0001, "
            + "capabilities: 0xFF0F, trigger_capabilities: 3, slots: 3, triggers: 2, password: Bench-07, "
            + "factory_name: KBPro_214810, keeps_settings: false, buttonless_needs_session: true, buttonless_refuses_session: true, seed: 7, "
            + "foreign_read: refusal, busy_commands: 2, accepts_impossible_beeps: true, fills_system_id: true"
        #expect(try Self.session(identity) == wanted)
    }

    @Test func `has behaviour that its keys describe`() throws {
        let session = try Self.session(
            "mtu: 185, folds_digests: true, tells_mtu: false, answers: split, piece_size: 40, waits: false, "
                + "window: 4, answer_length: 5000, more_frames: 3, execution_ms: 200, logs: 2, delay_ms: 0, "
                + "history: [{kind: humidity, count: 30, start: 100, interval_s: 60, most_at_once: 5}, "
                + "{kind: motion, count: 2}, {kind: light, count: 3}, {kind: voc, count: 4}, {kind: co2, count: 5}], "
                + "record_answers: split, frame_records: 7, answer_end: at_once, answer_end_ms: 30, answer_end_cause: 0, events: [{trigger: 4, after_s: 1.5}, {trigger: 3, press: triple-click}]"
        )
        #expect(session.handshake.maximumMTU == 185 && session.handshake.foldsDigests)
        #expect(!session.handshake.reportsMTU)
        let answers = session.answers
        #expect(answers.shape == .split && answers.pieceSize == 40 && !answers.waits && answers.window == 4)
        #expect(answers.length == .longer(5000) && answers.moreFrames == 3 && answers.logs == 2)
        #expect(answers.executionTime == .milliseconds(200) && answers.delay == .zero)
        var records = KBeaconHistory(.humidity, count: 30, since: 100)
        records.interval = 60
        records.mostAtOnce = 5
        #expect(
            session.history == [
                records, KBeaconHistory(.motion, count: 2), KBeaconHistory(.light, count: 3),
                KBeaconHistory(.voc, count: 4), KBeaconHistory(.carbonDioxide, count: 5),
            ])
        #expect(answers.records == .split && answers.recordsInFrame == 7 && answers.endsWithDone)
        #expect(answers.ending == .atOnce && answers.endingDelay == .milliseconds(30))
        let usual = try Self.session("seed: 1").answers
        #expect(usual.records == .frames && usual.ending == .late && !usual.endsWithDone)
        var third = KBeaconEvent(trigger: 3, after: .zero)
        third.press = .tripleClick
        #expect(session.events == [KBeaconEvent(trigger: 4, after: .milliseconds(1500)), third])
        #expect(try Self.session("answer_length: endless").answers.length == .endless)
    }

    @Test(
        arguments: [
            ("impostor: 1", .impostor), ("refuse_digest: 2", .refuseDigest(2)),
            ("silence_after_step: 3", .silence(afterStep: 3, ofHandshake: 1)),
            ("cut_after_step: 4", .cut(afterStep: 4, ofHandshake: 1)),
            ("busy_command: 2", .refuseCommand(2, cause: 0x010C)),
            ("fail_command: 3", .refuseCommand(3, cause: 0x0107)),
            ("refuse_commands: 0x0104", .refuseCommands(cause: 0x0104)),
            ("ask_wrong_offset: 1", .askWrongOffset(1, 0x0FFF)),
            ("flip_answer: 3", .flipAnswer(3, fromEnd: 0)),
            ("cut_answer: 3", .cutAnswer(3, to: 5)), ("cut_before_command: 2", .cutBeforeCommand(2)),
            ("cut_after_command: 2", .cutAfterCommand(2)), ("lose_reply: 2", .loseAnswer(2)),
            ("garble_password: 1", .garblePassword),
        ] as [(String, KBeaconFault)])
    func `has faults of its own`(key: String, fault: KBeaconFault) throws {
        let text = "beacons: [{kind: kbeacon, address: 'F0:0D:BE:AC:07:10', faults: [{\(key)}]}]"
        #expect(try `A scenario file`.scenario(text).nordic.first?.faults == [.kbeacon(fault)])
    }

    @Test func `can have any settings initially`() throws {
        let session = try Self.session(
            #"settings: {newKey: [1, null, "1", true, x], advObj: [{slot: 1, advPrd: 5.50}]}"#)
        #expect(
            session.settings == #"{"advObj":[{"advPrd":5.50,"slot":1}],"newKey":[1,null,"1",true,"x"]}"#)
        #expect(throws: (any Error).self) { try Self.session("settings: [1]") }
    }

    @Test func `has the faults of its bootloader`() throws {
        let text = "beacons: [{kind: kbeacon, address: 'F0:0D:BE:AC:07:10', faults: [{refuse_execute: 1}]}]"
        #expect(
            try `A scenario file`.scenario(text).nordic.first?.faults == [
                .nordic(.answerExecute(1, with: [0x05]))
            ])
    }

    @Test(arguments: [
        ("session: {password: short}", "a text of 8 to 16 bytes"),
        ("session: {model: 'a\"b'}", "a text of 1 to 64 bytes"), ("session: {mtu: 22}", "from 23 to 247"),
        ("session: {answers: shout}", "'shout' is not one of frames, inline"),
        ("session: {answer_end_cause: 7}", "'7' is not one of 0, 6"),
        ("session: {answer_length: long}", "not a number from 8 to 60000"),
        ("session: {pasword: x}", "did you mean 'password'?"),
        ("session: {history: [{count: 3}]}", "'kind' is missing"),
        ("session: {events: [{after_s: 3}]}", "'trigger' is missing"),
        ("receiver: {}", "the application of a KBeacon does not accept updates itself"),
        ("firmware_revision: none", "a beacon of kind kbeacon has no firmware_revision"),
        ("faults: [{memory_info: 3}]", "a beacon of kind kbeacon has no fault 'memory_info'"),
    ])
    func `reports invalid keys`(keys: String, words: String) throws {
        let line = "beacons: [{kind: kbeacon, address: 'BC:57:29:02:45:9F/public', \(keys)}]"
        let problem = try #require(try `A scenario file`.problem(line))
        #expect(problem.contains(words), "\(problem)")
    }

    /// Every key of `session` and every fault is in the page.
    @Test func `is fully described in the page about scenarios`() throws {
        let page = try String(contentsOfFile: Samples.root + "/docs/scenarios.md", encoding: .utf8)
        let section = try #require(
            page.split(separator: "## A beacon of kind `kbeacon`").last?.split(separator: "\n## ").first)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let named = rows.map { String($0.dropFirst(3).prefix { $0 != "`" }) }
        #expect(named.filter { !$0.contains(":") }.sorted() == KBeaconDescription.keys.sorted())
        let faults = named.filter { $0.contains(":") }.map { String($0.prefix { $0 != ":" }) }
        let own = ScenarioKind.kbeacon.faults.keys.filter { ScenarioKind.secure.faults[$0] == nil }
        #expect(faults.sorted() == own.sorted())
    }

    @Test func `is in the sample scenario in both generations`() throws {
        let scenario = try Scenario(path: Samples.root + "/manifests/scenarios/kbeacons.yaml")
        #expect(scenario.nordic.compactMap { $0.description.kbeacon?.generation } == [.second, .first])
    }
}
