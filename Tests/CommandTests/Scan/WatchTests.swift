import Bluetooth
import Firmware
import Testing

@testable import CommandKit
@testable import RadioCommands

@Suite struct `A watch` {
    /// A report of one beacon: time, signal, data; and whether it prints a line.
    static func lines(_ reports: [(at: Double, rssi: Int8, says: String)]) throws -> [Bool] {
        var changes = ChangeFilter()
        var seen: BeaconSighting?
        return try reports.map { heard in
            let moment = Duration.seconds(heard.at)
            let news = try report(heard.says, rssi: heard.rssi)
            if seen == nil { seen = BeaconSighting(news, at: moment) } else { seen?.add(news, at: moment) }
            return seen.map { changes.isPrinted($0, at: moment) } ?? false
        }
    }

    @Test func `reports a beacon once while nothing changes`() throws {
        let reports = (0..<100).map { (Double($0), Int8($0.isMultiple(of: 2) ? -50 : -55), "020106") }
        #expect(try Self.lines(reports) == [true] + [Bool](repeating: false, count: 99))
    }

    @Test func `reports a change of data`() throws {
        let reports = [
            (0.0, Int8(-50), "020106"), (2, -50, "0409414243"), (4, -50, "020106"), (6, -50, "020105"),
        ]
        #expect(try Self.lines(reports) == [true, true, false, true])
    }

    @Test func `reports alternating frames once each`() throws {
        let (iBeacon, eddystone) = (
            "1AFF4C000215E2C56DB5DFFB48D2B060D0F5A71096E0193605B2C5",
            "1516AAFE00EE00010203040506070809010203040506"
        )
        let reports = (0..<20).map { (Double($0 * 2), Int8(-50), $0.isMultiple(of: 2) ? iBeacon : eddystone) }
        #expect(try Self.lines(reports) == [true, true] + [Bool](repeating: false, count: 18))
    }

    @Test func `reports a moved beacon, but not a drift smaller than that since the last line`() throws {
        let reports = [(0.0, Int8(-50), ""), (2, -55, ""), (4, -56, ""), (6, -60, ""), (8, -50, "")]
        #expect(try Self.lines(reports) == [true, false, true, false, true])
    }

    @Test func `reports at most once a second, without losing a change`() throws {
        let changing = (0..<100).map {
            (Double($0) / 10, Int8(-50), "030961" + String(0x20 + $0 % 64, radix: 16))
        }
        let told = try Self.lines(changing + [(9.9, -50, "03095A5A"), (10.5, -50, "03095A5A")])
        #expect(told.prefix(100).count { $0 } == 10)
        #expect(told.suffix(2) == [false, true])
    }
}

@Suite struct `A live table` {
    static let size = TerminalSize(rows: 6, columns: 40)

    @Test(arguments: ["57", "E697A5"]) func `never is larger than the terminal`(_ letter: String) throws {
        let name = String(repeating: letter, count: 60 / letter.count)
        let long = String(name.count / 2 + 1, radix: 16) + "09" + name
        let many = try (0..<9).map { try sighting(long, from: "F0:00:00:00:00:0\($0)") }
        var table = LiveTable()
        let lines = table.frame(many, help: "q ends", at: .zero, in: Self.size) ?? []
        try #require(lines.count > 1)
        #expect(lines.count < Self.size.rows)
        #expect(lines.allSatisfy { $0.width < Self.size.columns })
        #expect(lines[1].rendered.contains("…"))
        #expect(lines.last == "and 6 more; q ends")
    }

    @Test func `counts the time since a beacon was heard until it was paused`() throws {
        var table = LiveTable()
        let heard = [try sighting(at: .seconds(2))]
        let frame = table.frame(
            heard, help: "", at: .seconds(60), until: .seconds(5),
            in: TerminalSize(rows: 6, columns: 120))
        #expect(frame?[1].rendered.contains("3.0 s") == true)
    }

    @Test func `is drawn four times a second at most`() throws {
        let one = [try sighting()]
        var table = LiveTable()
        let frames = [0, 249, 250].map {
            table.frame(one, help: "q ends", at: .milliseconds($0), in: Self.size)
        }
        #expect(frames.map { $0 == nil } == [false, true, false])
    }

    @Test func `passes no control characters from the air to the terminal`() throws {
        let rogue = [try sighting("05091B5B324A")]
        var table = LiveTable()
        let frame = table.frame(rogue, help: "q ends", at: .zero, in: TerminalSize()) ?? []
        try #require(frame.count == 3)
        #expect(!frame.contains { $0.rendered.contains("\u{1B}") })
        #expect(frame[1].rendered.contains("\\u{1b}[2J"))
    }
}

@Suite struct `A table of beacons` {
    @Test(arguments: [80, 40, 24]) func `fits the terminal, and keeps address and name`(_ width: Int) throws {
        let beacons = [try sighting(), try sighting("0F09" + String(repeating: "57", count: 14))]
        let lines = SightingTable().lines(beacons, width: width)
        #expect(lines.allSatisfy { $0.width <= max(width, 35) })
        #expect(lines[0].rendered.hasPrefix("ADDRESS            NAME"))
        #expect(lines[0].rendered.contains("KIND") == (width == 80))
    }

    @Test func `is not cut if it does not go to a terminal`() throws {
        let name = String(repeating: "W", count: 27)
        let lines = SightingTable().lines(
            [try sighting("1C09" + String(repeating: "57", count: 27))], width: nil)
        #expect(lines[1].rendered.contains(name))
    }

    @Test func `has the kind of an address in the form of a selector`() throws {
        let address = try #require(DeviceAddress("F0:0D:00:00:00:01", .public))
        let report = Advertisement(
            address: address, rssi: -50, isConnectable: true, data: AdvertisingData([]))
        let lines = SightingTable().lines([BeaconSighting(report, at: .zero)], width: 80)
        #expect(lines[1].rendered.hasPrefix("F0:0D:00:00:00:01/public "))
    }
}
