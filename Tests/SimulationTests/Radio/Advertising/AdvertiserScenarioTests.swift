import Bluetooth
import Bytes
import FoundationEssentials
import TestSupport
import Testing

@testable import Simulation

@Suite struct `A scenario with vendors' beacons` {
    static func described(_ keys: String) throws -> AdvertiserDescription {
        let text = "beacons: [{address: 'DD:34:02:06:5B:5C', \(keys)}]"
        let beacon = try `A scenario file`.scenario(text).beacons.first as? AdvertiserScenarioBeacon
        return try #require(beacon).description
    }

    /// The advertisement, the scan response and Device Information of one frame.
    private static func sent(_ frame: FrameName, _ keys: String) throws -> [String] {
        let plan = try described(keys).plan
        let moment = AdvertisingMoment(turn: 1)
        return [plan.advertiser.payload(of: frame, at: moment), plan.advertiser.scanResponse(at: moment)]
            .map { $0.map { HexText.encode($0.bytes) } ?? "" }
    }

    @Test func `has a KBeacon that its keys describe`() throws {
        let keys =
            "kind: kkm, name: K, model: 7, version: '5.2', battery: 109, carrier: company, extended: address, "
            + "uuid: F7826DA6-4FA2-4E98-8024-BC5B71E0893E, major: 258, minor: 772, measured_power: -77, "
            + "battery_mv: 3591, temperature: 25.164, humidity: 34.309, acceleration: [-4, -20, 1003], mask: 0x010F"
        #expect(
            try Self.sent(.kkmSystem, keys) == [
                "0201060eff530a22076ddd3402065b5c0502", "091680206d0001065b5c" + "02094b",
            ])
        #expect(
            try Self.sent(.iBeacon, keys)[0] == "020106"
                + "1aff4c000215f7826da64fa24e988024bc5b71e0893e01020304b3")
        #expect(try Self.sent(.kkmSensor, keys)[0].hasSuffix("21010f0e07192a224ffffcffec03eb"))
        let more =
            "kind: kkm, generation: 1, carrier: company, alarm: 1, pir: 2, light: 3, voc: [4, 5, 6], "
            + "direction_power: 4, temperature: none"
        #expect(try Self.sent(.kkmSensor, more)[0].hasSuffix("2101f1" + "0bb80102" + "0003" + "0400050006"))
        #expect(try Self.sent(.kkmAOA, more)[0].hasSuffix("040021a0"))
        let last = try Self.described("kind: kkm, generation: 1, co2: [7, 8], records: 9")
        #expect(
            last.plan.slots.map(\.content) == [.frame(.iBeacon), .frame(.kkmSensor), .frame(.eddystoneTLM)])
        #expect(last.plan.telemetryEvery == 10)
    }

    @Test func `has beacons of other vendors that their keys describe`() throws {
        #expect(
            try Self.sent(
                .feasycom,
                "kind: feasycom, model: 25, version: 831, pin: true, features: [buzzer, g-sensor], battery: 7"
            )[
                0] == "0201060e16f0ff19033f62dd3402065b5c07")
        #expect(try Self.sent(.feasycom, "kind: feasycom, external_power: true")[0].hasSuffix("5c65"))
        #expect(
            try Self.sent(
                .iBeacon, "kind: kontakt, name: K, id: wxyz, version: '3.1', battery: 9, tx_power: -4")[1]
                == "02094b" + "020afc" + "0a160dd07778797a030109")
        let plain = "kind: kontakt, format: plain, id: AB, model: 3, moving: true, records: ['0a64']"
        #expect(try Self.sent(.kontaktLocation, plain)[0].hasSuffix("05042503014142"))
        #expect(try Self.sent(.kontaktTelemetry, plain)[0].hasSuffix("03020a64"))
        #expect(
            try Self.sent(
                .kontaktShuffled,
                "kind: kontakt, format: shuffled, namespace: '00010203040506070809', "
                    + "instance: '0a0b0c0d0e0f'")[0].hasSuffix("000102030405060708090a0b0c0d0e0f"))
        #expect(
            try Self.sent(
                .estimoteTelemetry,
                "kind: estimote, id: '0102030405060708', telemetry_version: 0, firmware_error: true, "
                    + "clock_error: true, battery_mv: 2000, battery: 5")[0].hasSuffix(
                    "0201020304050607080100000000000000401f03"))
        #expect(
            try Self.sent(
                .nearable,
                "kind: nearable, id: '0807060504030201', hardware: 1, version: 9, moving: false, "
                    + "under_load: true, temperature: -1, battery_mv: 3000")[0].hasSuffix(
                    "0807060504030201" + "0109" + "f05fb50000400541"))
        #expect(
            try Self.sent(.aSensor, "kind: asensor, version: 3, battery: 4, moving: true, temperature: -2")[0]
                .hasSuffix("5c03fe01010240000904c5"))
        #expect(
            try Self.sent(.altBeacon, "kind: altbeacon, altbeacon_company: 0x0A53")[0].hasPrefix(
                "0201061bff530abeac"))
        #expect(
            try Self.sent(.eddystoneURL, "kind: eddystone, url: 'http://www.a.info', power_at_0m: 0")[0]
                .hasSuffix(
                    "10000061" + "0b"))
        #expect(
            try Self.sent(.eddystoneEID, "kind: ibeacon, ephemeral_id: '0000000000000001', id_period_s: 60")[
                0
            ]
            .hasSuffix("30ee0000000000000001"))
        #expect(
            try Self.sent(.kkmOld, "kind: kkm-old, name: ''") == [
                "0201061107d881c91ab99996abba40868780200cee", "",
            ])
        #expect(try Self.described("kind: ibeacon, rssi: -70").rssi == -70)
    }

    @Test func `may define the times and contents of adverts`() throws {
        let plan = try Self.described(
            """
            kind: kkm, period_ms: 2000, phase_ms: 50, telemetry_every: 5, scan_response: false, connectable: after-click,
              connectable_for_s: 30, clicks_s: [1, 2.5], triggers: [{trigger: click, at_s: 1, for_s: 2}, {trigger: motion}],
              only_triggered: true, frames: [kkm-system, {frame: ibeacon, period_ms: 100, cut_to: 3},
              {raw: 020106, cut_report_to: 2}, {frame: kkm-sensor, announced_length: 3, flip: [{byte: 1}, {byte: 2, mask: 4}]}]
            """
        ).plan
        #expect(plan.period == .seconds(2) && plan.phase == .milliseconds(50) && plan.telemetryEvery == 5)
        #expect(!plan.answersScans)
        #expect(
            plan.window
                == ConnectableWindow(.afterClick, clicks: [.seconds(1), .seconds(2.5)], length: .seconds(30)))
        #expect(
            plan.slots.map(\.content) == [
                .frame(.kkmSystem), .frame(.iBeacon), .raw([2, 1, 6]), .frame(.kkmSensor),
            ])
        #expect(plan.slots.map(\.period) == [nil, .milliseconds(100), nil, nil])
        #expect(plan.slots.map(\.damage.dataLength) == [nil, 3, nil, nil])
        #expect(plan.slots.map(\.damage.reportLength) == [nil, nil, 2, nil])
        #expect(plan.slots.map(\.damage.announcedLength) == [nil, nil, nil, 3])
        #expect(
            plan.slots.map(\.damage.flips).last == [.init(offset: 1, mask: 0xFF), .init(offset: 2, mask: 4)])
        let beacon = try #require(plan.advertiser as? KKMAdvertiser)
        #expect(beacon.sendsOnlyTriggered)
        #expect(
            beacon.triggers == [
                .init(trigger: .click, start: .seconds(1), length: .seconds(2)),
                .init(trigger: .motion, start: .zero, length: .seconds(10)),
            ])
        let damaged = try Self.described("kind: kkm, scan_response: {cut_to: 1}").plan
        #expect(damaged.answersScans && damaged.scanResponseDamage.dataLength == 1)
    }

    @Test func `has Device Information as the vendor has it, and as its keys define`() throws {
        let kkm = try Self.described("kind: kkm, information: {model: K6, firmware: '', serial: S1}")
            .information
        #expect(
            kkm == [
                0x2A23: [0x5C, 0x5B, 0x06, 0x02, 0x34, 0xDD], 0x2A24: Array("K6".utf8),
                0x2A25: Array("S1".utf8),
            ])
        #expect(try Self.described("kind: feasycom").information[0x2A28] == Array("BP102,8.30".utf8))
        #expect(try Self.described("kind: asensor").information[0x2A26] == Array("2".utf8))
        #expect(try Self.described("kind: kontakt").information.isEmpty)
    }

    @Test func `has sensor values of Estimote's beacons from their keys`() throws {
        let beacon = try #require(
            try Self.described(
                "kind: estimote, moving: true, acceleration: [16, -16, 64], motion_s: 10800, previous_motion_s: 2000000, "
                    + "gpio: [0, 3], magnetic_field: [-128, 64, -1], light: 230.4, pressure_pa: 101305, temperature: 5.5"
            ).plan.advertiser as? EstimoteAdvertiser)
        #expect(beacon.motion.isMoving && beacon.motion.acceleration == [16, -16, 64])
        #expect(beacon.motion.current == .seconds(10_800) && beacon.motion.previous == .seconds(2_000_000))
        #expect(beacon.highPins == 0b1001 && beacon.magneticField == [-128, 64, -1])
        #expect(beacon.light == 230.4 && beacon.pressure == 101_305 && beacon.standard.temperature == 5.5)
        let sticker = try #require(
            try Self.described("kind: nearable, moving: false, motion_s: 7").plan.advertiser
                as? NearableAdvertiser)
        #expect(!sticker.motion.isMoving && sticker.motion.current == .seconds(7))
        #expect(sticker.motion.acceleration == [0, 0, 64] && sticker.motion.previous == .seconds(60))
    }

    @Test func `has classic Kontakt beacons of old versions that lock out clients without a password`() throws
    {
        #expect(try Self.described("kind: kontakt, version: '3.1'").lockout == .init())
        #expect(try Self.described("kind: kontakt, version: '3.2'").lockout == nil)
        #expect(try Self.described("kind: kontakt, version: '3.1', locks_out: false").lockout == nil)
        #expect(try Self.described("kind: kontakt, format: plain, version: '1.15'").lockout == nil)
    }

    @Test func `has public addresses where the keys require them`() throws {
        let scenario = try `A scenario file`.scenario(
            """
            beacons:
              - {kind: kkm, address: BC:57:29:02:45:9F/public}
              - {kind: kkm, address: BC:57:29:02:45:9F}
              - {kind: suota, address: F0:0D:BE:AC:01:00/public}
            """)
        #expect(scenario.beacons.map { $0.addresses.map(\.kind) } == [[.public], [.random], [.public]])
        let problem = try `A scenario file`.problem("beacons: [{address: 'BC:57:29:02:45:9F/private'}]")
        #expect(problem?.contains("is not an address") == true)
    }

    @Test func `has applications that advertise as a vendor's`() throws {
        let text = """
            beacons:
              - {address: F0:0D:BE:AC:01:00, mode: application, advertises: {kind: kkm, version: '6.20', battery: 50}}
              - {kind: suota, address: F0:0D:BE:AC:02:00, advertises: {kind: asensor, version: 3}}
            """
        let scenario = try `A scenario file`.scenario(text)
        let first = scenario.nordic.first?.description.advertising?.advertiser as? KKMAdvertiser
        #expect(first?.version == TwoPartVersion(6, 20) && first?.battery == 50)
        #expect(first?.address.description == "F0:0D:BE:AC:01:00")
        #expect(scenario.suota.first?.description.advertising?.advertiser is ASensorAdvertiser)
    }

    @Test(arguments: [
        ("advertises: {version: '6.20'}", "{version", "'kind' is missing"),
        ("advertises: {kind: suota}", "suota", "'suota' is not one of altbeacon, "),
        ("advertises: {kind: kkm, rssi: -3}", "rssi", "'rssi' belongs next to 'advertises'"),
        ("advertises: {kind: kkm, modle: 3}", "modle", "did you mean 'model'?"),
        ("kind: kkm, version: V5.2", "V5.2", "'V5.2' is not a version: it must be two numbers"),
        ("kind: kkm, version: 6.256", "6.256", "is not a version"),
        ("kind: kkm, pin: true", "pin", "a beacon of kind kkm has no pin"),
        ("kind: kkm, generation: 3", "3", "not a number from 1 to 2"),
        ("kind: kkm, battery: 256", "256", "not a number from 0 to 255"),
        ("kind: estimote, gpio: [4]", "4", "not a number from 0 to 3"),
        ("kind: nearable, motion_s: 18748801", "18748801", "not a number from 0 to 18748800"),
        ("kind: nearable, gpio: [0]", "gpio", "a beacon of kind nearable has no gpio"),
        ("kind: kkm, frames: [kkm-sytem]", "kkm-sytem", "did you mean 'kkm-system'?"),
        ("kind: kkm, frames: []", "[]", "the list of frames is empty"),
        ("kind: kkm, frames: [feasycom]", "feasycom", "'feasycom' is not one of altbeacon"),
        (
            "kind: kkm, frames: [{period_ms: 100}]", "{",
            "a frame needs either a name ('frame') or bytes ('raw')"
        ),
        ("kind: kkm, frames: [{frame: ibeacon, raw: 00}]", "{", "either a name"),
        ("kind: kkm, frames: [{frame: ibeacon, period_ms: 19}]", "19", "not a number from 20 to 3600000"),
        ("kind: kkm, frames: [{frame: ibeacon, cut: 1}]", "cut", "unknown key 'cut'"),
        ("kind: kkm, frames: [{frame: ibeacon, flip: [{mask: 1}]}]", "{mask", "'byte' is missing"),
        ("kind: kkm, frames: [{raw: 0g}]", "0g", "at most 64 bytes in hexadecimal"),
        ("kind: kkm, scan_response: {cut: 1}", "cut", "unknown key 'cut'"),
        ("kind: kkm, scan_response: none", "none", "neither true nor false"),
        ("kind: kkm, connectable: maybe", "maybe", "'maybe' is not one of after-click, false, true"),
        ("kind: kkm, clicks_s: [-1]", "-1", "not a number from 0 to 86400"),
        ("kind: kkm, triggers: [{at_s: 1}]", "{at_s", "'trigger' is missing"),
        ("kind: kkm, triggers: [{trigger: shake}]", "shake", "'shake' is not one of click"),
        ("kind: kkm, acceleration: [1, 2]", "[1", "3 numbers are expected here"),
        ("kind: kkm, direction_power: 5", "5", "direction_power must be one of -40"),
        ("kind: kkm, information: {color: red}", "color", "unknown key 'color'"),
        ("kind: kkm, uuid: FEAA", "FEAA", "is not a 128-bit UUID"),
        ("kind: kkm, temperature: hot", "hot", "not a number from -127 to 127"),
        (
            "kind: kkm, name: A name that nobody can send", "",
            "its scan response takes 39 bytes; a packet holds at most 31"
        ),
        (
            "kind: kkm, acceleration: [1, 2, 3], voc: [1, 2, 3], co2: [1, 2], frames: [kkm-sensor]",
            "[kkm-sensor", "its frame kkm-sensor takes"
        ),
        ("kind: kontakt, id: ''", "''", "an id must have 1 to 12 ASCII characters"),
        ("kind: kontakt, format: open", "open", "'open' is not one of classic"),
        ("kind: feasycom, features: [horn]", "horn", "'horn' is not one of button"),
        ("kind: nearable, id: '01'", "'01'", "8 bytes in hexadecimal"),
        ("kind: eddystone, url: ftp://a", "ftp", "an Eddystone URL must begin with http"),
        ("kind: eddystone, url: 'http://abcdefghijklmnopqr'", "'http", "have at most 17"),
        ("kind: ibeacon, version: '1.0'", "version", "a beacon of kind ibeacon has no version"),
        ("kind: orange-tag, lacks: [wings]", "wings", "'wings' is not one of uuid"),
        ("kind: orange-tag, values: {power: 4x}", "4x", "at most 64 bytes in hexadecimal"),
        (
            "kind: orange-tag, values: {uuid: 01\(String(repeating: "00", count: 20))}", "01000000",
            "a value can have at most 20 bytes"
        ),
        ("kind: orange-tag, name: A long name of it", "", "its scan response takes 37 bytes"),
        ("kind: ibeacon, fixed: [major]", "fixed", "a beacon of kind ibeacon has no fixed"),
        ("mode: application, period_ms: 100", "period_ms", "has no period_ms"),
    ])
    func `reports invalid keys, and where`(keys: String, token: String, words: String) throws {
        let line = "- {address: 'DD:34:02:06:5B:5C', \(keys)}"
        let problem = try #require(try `A scenario file`.problem("beacons:\n" + line), "\(keys)")
        #expect(problem.contains(words), "\(problem)")
        // An entry as a whole begins with its brace.
        let place = token.isEmpty ? line.firstIndex(of: "{") : line.ranges(of: token).last?.lowerBound
        let column = line.distance(from: line.startIndex, to: try #require(place)) + 1
        #expect(problem.hasPrefix("line 2, column \(column):"), "\(problem)")
    }

    /// Every key and every frame is in the page, and the page has no other.
    @Test func `is fully described in the page about scenarios`() throws {
        let page = try String(contentsOfFile: Samples.root + "/docs/scenarios.md", encoding: .utf8)
        let section = try #require(
            page.split(separator: "## Beacons of makers").last?.split(separator: "\n## Faults").first)
        func words(_ text: Substring) -> [String] {
            text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        }
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let named = Set(rows.flatMap { words($0.dropFirst().prefix { $0 != "|" }) })
        let kinds = ScenarioKind.advertisers + [.orangeTag]
        let keys = Set(kinds.flatMap(\.keys)).subtracting(["kind", "address", "faults"])
        let known = keys.union(FrameDamage.keys + ["frame", "raw"] + kinds.map(\.name))
        #expect(known.subtracting(named).sorted() == [])
        #expect(named.subtracting(known).sorted() == [])
        let own = [
            KKMAdvertiser.ownFrames, OldKKMAdvertiser.ownFrames, FeasycomAdvertiser.ownFrames,
            KontaktAdvertiser.ownFrames, EstimoteAdvertiser.ownFrames, NearableAdvertiser.ownFrames,
            ASensorAdvertiser.ownFrames, OrangeTagAdvertiser.ownFrames,
        ]
        let frames = FrameName.standard + own.joined()
        #expect(Set(frames.map(\.rawValue)).subtracting(words(section)).sorted() == [])
    }
}
