import ArgumentParser
import Bluetooth
import Bytes
import Firmware
import TestSupport
import Testing
import UpdateModel

@testable import CommandKit
@testable import RadioCommands

@Suite struct `Columns of a scan` {
    /// KKM's system frame and its name.
    private static func system() throws -> BeaconSighting {
        try sighting("0E16AAFE220564DD3402065B5C0614 05094B42506F", from: "DD:34:02:06:5B:5C", rssi: -60)
    }

    @Test func `fit 80 cells, with what matters`() throws {
        let lines = SightingTable().lines([try Self.system()], width: 80)
        #expect(
            lines[0].rendered.split(separator: " ") == [
                "ADDRESS", "NAME", "KIND", "MODE", "VERSION", "BATT", "RSSI",
            ])
        #expect(
            lines[1].rendered.split(separator: " ")
                == ["DD:34:02:06:5B:5C", "KBPo", "kkm", "app", "6.20", "100", "%", "-60"])
        #expect(lines.allSatisfy { $0.width <= 80 })
    }

    private static func heard(in packets: AdvertisingPackets?) throws -> BeaconSighting {
        var report = try report("0201060403616263")
        report.packets = packets
        return BeaconSighting(report, at: .zero)
    }

    @Test(
        arguments: [
            (nil, "-", .null, .null, .null), (.legacy, "1M", .text("1M"), .null, .bool(false)),
            (
                .extended(primary: .le1M, secondary: .le2M), "1M/2M", .text("1M"), .text("2M"), .bool(true)
            ),
            (.extended(primary: .le1M, secondary: nil), "1M/-", .text("1M"), .null, .bool(true)),
            (
                .extended(primary: .leCoded, secondary: .leCoded), "coded", .text("coded"), .text("coded"),
                .bool(true)
            ),
            (
                .extended(primary: .leCoded, secondary: .le1M), "coded/1M", .text("coded"), .text("1M"),
                .bool(true)
            ),
        ] as [(AdvertisingPackets?, String, JSONValue, JSONValue, JSONValue)])
    func `tell the packets of a beacon where the adapter does`(
        _ packets: AdvertisingPackets?, _ cell: String, _ phy: JSONValue, _ secondary: JSONValue,
        _ extended: JSONValue
    ) throws {
        let beacon = try Self.heard(in: packets)
        #expect(SightingTable([.phy]).lines([beacon], width: nil)[1].rendered == cell)
        let members = beacon.members
        #expect(members["phy"] == phy && members["secondary_phy"] == secondary)
        #expect(members["extended"] == extended)
    }

    @Test func `include the PHY by default once a beacon was heard in extended packets`() throws {
        let table = SightingTable([.rssi], addsPHY: true)
        let legacy = try Self.heard(in: .legacy)
        #expect(table.lines([legacy], width: nil)[0].rendered == "RSSI")
        let lines = table.lines(
            [legacy, try Self.heard(in: .extended(primary: .le1M, secondary: .le2M))], width: nil)
        #expect(
            lines.map { $0.rendered.split(separator: " ") } == [
                ["RSSI", "PHY"], ["-50", "1M"], ["-50", "1M/2M"],
            ])
        #expect(
            SightingTable([.rssi]).lines(
                [try Self.heard(in: .extended(primary: .le1M, secondary: .le2M))], width: nil)[0].rendered
                == "RSSI")
    }

    @Test func `distinguish what is not received yet from what is not sent`() throws {
        // Extended data, without any other frame (kbeacon.md, 2.6).
        let early = try sighting("061680206400 01 0A094B4250726F5F323134", from: "DD:34:02:06:D0:6C")
        let never = try sighting("1AFF4C000215E2C56DB5DFFB48D2B060D0F5A71096E0193605B2C5")
        let table = SightingTable([.version, .battery])
        #expect(table.lines([never], width: nil)[1].rendered.split(separator: " ") == ["-", "-"])
        #expect(early.data.name == "KBPro_214")
        #expect(table.lines([early], width: nil)[1].rendered.split(separator: " ") == ["?", "100", "%"])
    }

    /// A KBeacon's sensor frame, which both generations send.
    private static let sensor = "0C16AAFE2100070BB815803200"

    @Test func `distinguish a version that may still come from one that does not, once that is known`() throws
    {
        let table = SightingTable([.version])
        func cell(_ beacon: BeaconSighting) -> String { table.lines([beacon], width: nil)[1].rendered }
        var beacon = try sighting("091680206404193605B2", from: "DD:34:02:06:D0:6C")
        #expect(
            cell(beacon) == "?" && beacon.missing.contains(.version) && beacon.members["missing"] != .list([])
        )
        #expect(beacon.timeoutEnd == .seconds(10))
        beacon.add(try report(Self.sensor, from: "DD:34:02:06:D0:6C"), at: .milliseconds(9999))
        #expect(cell(beacon) == "?")
        beacon.add(try report(Self.sensor, from: "DD:34:02:06:D0:6C"), at: .seconds(10))
        // It is of the first generation.
        #expect(cell(beacon) == "-" && beacon.isComplete && beacon.timeoutEnd == nil)
        beacon.add(
            try report("0E16AAFE220564DD340206D06C0614", from: "DD:34:02:06:D0:6C"), at: .seconds(11))
        #expect(cell(beacon) == "6.20")
    }

    @Test func `have a ? for a kind that only a connection shows`() throws {
        func cell(_ hex: String, connectable: Bool? = true) throws -> String {
            let beacon = BeaconSighting(try report(hex, connectable: connectable), at: .zero)
            #expect(beacon.members["kind"] == .text(beacon.kind))
            return SightingTable([.kind]).lines([beacon], width: nil)[1].rendered
        }
        let blinker = "0A09426C696E6B65722034"
        #expect(try cell(blinker) == "?" && cell(blinker, connectable: nil) == "?")
        #expect(try cell(blinker, connectable: false) == "unknown")
        #expect(try cell("1AFF4C000215E2C56DB5DFFB48D2B060D0F5A71096E0193605B2C5") == "ibeacon")
        #expect(try cell("0302F5FE") == "suota")
        // A damaged frame of Kontakt.io, whose beacons a connection may lock.
        #expect(try cell("09160DD0616263640201") != "?")
    }

    @Test func `have web address, telemetry version, and numbers without a UUID`() throws {
        func cells(_ hex: String) throws -> [String?] {
            let beacon = try sighting(hex)
            return [ScanColumn.url, .tlm, .identity].map { $0.text(of: beacon) }
        }
        #expect(try cells("0D16AAFE10EE01676F6F676C6500") == ["https://www.google.com/", nil, nil])
        #expect(try cells("1116AAFE20000BB8158000012345000D2F00") == [nil, "0", nil])
        #expect(
            try cells("1516AAFE2001A0A1A2A3A4A5A6A7A8A9AAAB12345678") == [nil, "1, encrypted", nil])
        let response = "091680206404193605B2"
        #expect(try cells(response) == [nil, nil, "major 6454, minor 1458"])
        let iBeacon = "1AFF4C000215E2C56DB5DFFB48D2B060D0F5A71096E0193605B2C5"
        #expect(
            try cells(iBeacon + response)[2] == "ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/6454/1458")
        let members = try sighting(response).members
        #expect(members["major"] == .integer(6454) && members["minor"] == .integer(1458))
        #expect(members["url"] == .null && members["tlm_version"] == .null)
        let telemetry = try sighting("1116AAFE20000BB8158000012345000D2F00").members
        #expect(telemetry["tlm_version"] == .integer(0) && telemetry["major"] == .null)
        #expect(
            try sighting("0D16AAFE10EE01676F6F676C6500").members["url"] == .text("https://www.google.com/"))
    }

    @Test func `may be listed in any order`() throws {
        #expect(ScanColumns(argument: "rssi,Name")?.columns == [.rssi, .name])
        for (text, words) in [
            ("nme", "did you mean 'name'"), ("rssi,rssi", "'rssi' is repeated"),
            ("", "columns are address"),
            ("rssi,", "there is no column ''"),
        ] {
            #expect(ScanColumns(argument: text) == nil)
            #expect(ScanColumns.flaw(in: text).contains(words), "\(ScanColumns.flaw(in: text))")
        }
    }

    @Test func `each have a heading of their own`() {
        #expect(Set(ScanColumn.allCases.map(\.layout.heading)).count == ScanColumn.allCases.count)
    }
}

@Suite struct `The result of a scan` {
    private static func hint(_ beacons: [Advertisement], _ options: [String] = []) throws -> String? {
        var heard = BeaconSightings(isComplete: true)
        for beacon in beacons { heard.add(beacon, at: .zero) }
        let layout = ScanLayout(
            options: RepeatedOptions(try AdapterOptions.parse(options), secrets: nil))
        return ScanResult(heard: heard, seconds: 3, wall: WallTime(now: .zero), layout: layout).hint?.rendered
    }

    @Test func `has what the keys of a table leave, in their order`() throws {
        var heard = BeaconSightings(isComplete: true)
        heard.add(try report("0409506931", from: "F0:00:00:00:00:02"), at: .zero)  // Pi1
        heard.add(try report("0409506932", from: "F0:00:00:00:00:01"), at: .zero)  // Pi2
        heard.add(try report("0409546133", from: "F0:00:00:00:00:03"), at: .zero)  // Ta3
        var keys = WatchKeys(order: .address)
        for key in "fpi" { _ = keys.press(.character(key)) }
        let layout = ScanLayout(order: .rssi)
        let result = ScanResult(
            heard: heard, seconds: 1, wall: WallTime(now: .zero), layout: layout, keys: keys)
        #expect(result.beacons.compactMap(\.data.name) == ["Pi2", "Pi1"])
    }

    @Test func `says how to find out a kind that is not advertised, of the loudest beacon`() throws {
        let tag = try report("0302F5FE", from: "F0:0D:00:00:00:03", rssi: -30)
        let quiet = try report("020106", from: "F0:0D:00:00:00:01", rssi: -80)
        let loud = try report("020106", from: "F0:0D:00:00:00:02", rssi: -40)
        #expect(try Self.hint([tag]) == nil)
        #expect(
            try Self.hint([tag, quiet])?.hasSuffix(", `beacon-dfu info --device F0:0D:00:00:00:01`") == true)
        #expect(try Self.hint([quiet], ["--coded"])?.contains(" --coded") == true)
        let hint = try Self.hint([tag, quiet, loud], ["--adapter", "sim:my tray.yaml"])
        #expect(hint?.hasPrefix("2 of a kind that is not advertised (?)") == true)
        #expect(
            hint?.hasSuffix(
                "for example `beacon-dfu info --adapter 'sim:my tray.yaml' --device F0:0D:00:00:00:02`")
                == true)
    }
}

@Suite struct `A row for a spreadsheet` {
    @Test(arguments: [
        (["a", "b"], "a,b"), (["a,b", nil], "\"a,b\","), (["say \"x\""], "\"say \"\"x\"\"\""),
        (["=1+1"], "'=1+1"), (["@SUM(A1)"], "'@SUM(A1)"), (["+x"], "'+x"), (["-60"], "-60"),
        (["-cmd"], "'-cmd"),
        (["=HYPERLINK(\"x\",1)"], "\"'=HYPERLINK(\"\"x\"\",1)\""), (["＝1"], "'＝1"),
        // Readers see the quotation mark, the comma and the sign, even with combining characters.
        (["a\"\u{301},=1"], "\"a\"\"\u{301},=1\""), (["=\u{301}1"], "'=\u{301}1"),
        ([",\u{301}"], "\",\u{301}\""), (["a\n\u{202e}b", "\t=1"], "a\\n\\u{202e}b,\\t=1"),
    ])
    func `is quoted, in visible form, and holds no formula`(_ cells: [String?], _ line: String) {
        #expect(SpreadsheetText(cells).line == line)
    }
}

@Suite struct `A file of filters` {
    @Test func `has conditions under names`() throws {
        let file = try FilterFile(
            parsing: Array("tray: [vendor=kkm, 'rssi>-70']\nlow: ['battery<20']\n".utf8))
        #expect(file.filters["tray"]?.count == 2)
        #expect(file.filters["low"] == [try SightingFilter("battery<20")])
    }

    @Test(arguments: [("tray: ['colour=red']", 1, 8), ("tray: x", 1, 7), ("- a", 1, 1), ("tray: []", 1, 7)])
    func `is refused with the place if it is wrong`(_ text: String, _ line: Int, _ column: Int) {
        let problem = #expect(throws: YAMLProblem.self) { try FilterFile(parsing: Array(text.utf8)) }
        #expect(problem?.line == line && problem?.column == column, "\(problem.map { "\($0)" } ?? "")")
    }
}

@Suite struct `Listening until all is known` {
    @Test func `continues for three seconds, and two after the last new beacon`() throws {
        var completeness = Completeness(since: .zero)
        let one = try sighting("08095368656C662031", from: "F0:0D:BE:AC:01:01")
        let two = try sighting("08095368656C662032", from: "F0:0D:BE:AC:01:02")
        let reached = [(one, 1), (two, 2.5), (one, 4.4), (one, 4.5)].map {
            completeness.isReached(by: $0, at: .seconds($1))
        }
        #expect(reached == [false, false, false, true])
    }

    @Test(arguments: [("auto", ListeningTime.auto), ("3", .seconds(3)), ("0.5", .seconds(0.5))])
    func `is requested by a word`(_ text: String, _ time: ListeningTime) {
        #expect(ListeningTime(argument: text) == time)
    }

    @Test(arguments: ["", "0", "-1", "3601", "Auto!", "nan", "inf"])
    func `is not requested by anything else`(_ text: String) { #expect(ListeningTime(argument: text) == nil) }
}

@Suite struct `A beacon that a connection could lock` {
    /// Kontakt.io's classic scan response: id abcd, battery 100.
    private static func kontakt(_ version: String) throws -> BeaconSighting {
        try sighting("0A160DD061626364" + version + "64")
    }

    @Test(arguments: ["0201", "0301", "0300"]) func `is left alone`(_ version: String) throws {
        let beacon = try Self.kontakt(version)
        let failure = #expect(throws: CommandFailure.self) { try LockRisk.check(beacon, allowing: []) }
        #expect(failure?.code == "would-lock-beacon")
        try LockRisk.check(beacon, allowing: [.lock])
    }

    @Test func `is left alone even if its frame is damaged`() throws {
        let beacon = try sighting("09160DD0616263640201")
        let failure = #expect(throws: CommandFailure.self) { try LockRisk.check(beacon, allowing: []) }
        #expect(failure?.code == "would-lock-beacon")
    }

    @Test(arguments: ["0302", "0400"]) func `is not one of a later version`(_ version: String) throws {
        try LockRisk.check(try Self.kontakt(version), allowing: [])
    }

    @Test func `is not one of another vendor`() throws {
        try LockRisk.check(try sighting("08095368656C662031"), allowing: [])
    }
}

@Suite struct `A numbered list of beacons` {
    @Test func `returns the one whose number was typed`() throws {
        let beacons = [
            try sighting("08095368656C662031", from: "F0:0D:BE:AC:01:01"),
            try sighting("08095368656C662032", from: "F0:0D:BE:AC:01:02"),
        ]
        #expect(DeviceQuestion.choice(in: " 2\n", of: beacons)?.address == beacons[1].address)
        for line in ["\n", "", "0", "3", "-1", "1 2\n", "x", "1x"] {
            #expect(DeviceQuestion.choice(in: line, of: beacons) == nil, "\(line)")
        }
        let lines = DeviceQuestion.lines(beacons, in: SightingTable())
        #expect(lines.map { $0.rendered.prefix(3) } == ["   ", "1  ", "2  "])
    }
}
