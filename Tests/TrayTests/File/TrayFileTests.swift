import Firmware
import TestSupport
import Testing

@testable import Tray

/// Bytes of a tray file with these lines after its version.
func trayBytes(_ lines: String) -> [UInt8] { Array("tray: 1\n\(lines)\n".utf8) }

/// The tray of these lines after its version.
func tray(_ lines: String) throws -> TrayFile { try TrayFile(parsing: trayBytes(lines)) }

@Suite struct `A tray file` {
    private static let path = Samples.root + "/manifests/trays/sample.yaml"

    @Test func `assigns beacons to slots, and firmware to each`() throws {
        let tray = try TrayFile(parsing: Samples.file(at: Self.path))
        #expect(tray.slots.map(\.label) == ["A1", "A2", "A3", "B1", "B2", "B3"])
        #expect(
            tray.slots.map { $0.device.map { "\($0)" } } == [
                "DC:0D:30:00:00:03/public", "DC:0D:30:00:00:04/public", "DC:0D:30:00:00:05", "name:Tag 33",
                "F0:0D:BE:AC:31:00", nil,
            ])
        #expect(tray.firmware == .catalogue(folder: "..", channel: .release))
        let own = TrayFirmware.file("../../firmware-samples/nordic/blinker-1.1.0.zip")
        #expect(tray.slots.map(\.firmware) == [nil, nil, nil, nil, own, nil])
        #expect(tray.order == .loudest)
        #expect(
            [tray.orderNumber, tray.station, tray.operatorName] == ["PO-2026-0117", "Bench 2", "M. Ito"])
        let limits = tray.limits
        #expect([limits.links, limits.attempts, limits.failurePercent] == [4, 3, 10])
        #expect([limits.unitSeconds, limits.traySeconds] == [300, 3600])
    }

    @Test func `has no limits, order or record by default`() throws {
        let tray = try tray("firmware: a.zip\nslots: [{slot: 007}]")
        #expect(tray.slots.map(\.label) == ["007"])
        #expect(try tray == TrayFile(units: .slots([TraySlot("007")]), firmware: .file("a.zip")))
        #expect(tray.limits == TrayLimits() && tray.order == .listed)
    }

    @Test func `may have a rule instead of slots`() throws {
        let tray = try tray(
            "catalogue: {folder: c, channel: beta}\nrule: {vendor: kkm, model: 'K*', rssi_above: -70, expected: 48}"
        )
        let rule = try TrayRule(vendor: "kkm", model: "K*", rssiAbove: -70, expected: 48)
        #expect(tray.units == .rule(rule) && tray.slots.isEmpty)
        #expect(tray.firmware == .catalogue(folder: "c", channel: .beta))
    }

    @Test(arguments: [
        "firmware: a.zip\nslots: [{slot: A1}]",
        "slots: [{slot: A1, firmware: a.zip}, {slot: A2, catalogue: {folder: b}, device: 'id:x'}]",
        "firmware: a\nrule: {name: 'Shelf ?'}\norder: loudest\nlimits: {failure_percent: 0}",
        "catalogue: {folder: /c, channel: beta}\nrule: {vendor: nordic, expected: 1, rssi_above: -127}",
        #"{"firmware": "\\\"'#:x", "slots": [{"slot": "no"}, {"slot": "12:30"}, {"slot": "\\"}, {"slot": "\"\u0301"}]}"#,
        "station: 棚 7\noperator: 'Ö. O''Neill'\norder_number: 1e3\nfirmware: '{'\nslots: [{slot: '- a'}, {slot: 'é'}]",
        "firmware: a\npins: 'scl=P0_2,sda=P0_3,address=0x50'\nslots: [{slot: 1}, {slot: 2, pins: 'x', profile: y}]",
        "profile: \"a 'b'\"\nfirmware: a\nslots: [{slot: 1}]",
        "packet_size: 64\nno_resume: true\nfirmware: a\nslots: [{slot: 1, bootloader: 'name:Dfu*', interval: 7.5}]",
        "catalogue: {folder: c, release: 1.10}\nslots: [{slot: 1, no_bootloader_name: false, connect_timeout: 30}]",
        "firmware: a\nslots: [{slot: 1, device: 'ibeacon:FE59/1/2'}, {slot: 2, device: 'f0:0d:be:ac:01:00/public'}]",
    ])
    func `that is written reads back equal`(_ lines: String) throws {
        let isJSON = lines.hasPrefix("{")
        let tray =
            isJSON
            ? try TrayFile(parsing: Array(("{\"tray\": 1, " + lines.dropFirst()).utf8)) : try tray(lines)
        #expect(try TrayFile(parsing: Array(tray.text.utf8)) == tray)
    }

    @Test func `with the maximum number and length of slots can be written and read`() throws {
        let quote = String(repeating: "\"", count: 60)
        let slots = try (0..<1000).map { number in
            let device = try #require(DeviceSelector("id:\(quote)\(number)"))
            return try TraySlot(
                "\(quote)\(number)", device: device,
                firmware: .catalogue(folder: String(repeating: "\\", count: 256), channel: .release))
        }
        let tray = try TrayFile(units: .slots(slots))
        #expect(try TrayFile(parsing: Array(tray.text.utf8)) == tray)
        #expect(throws: TrayFileError.self) {
            try TrayFile(units: .slots(slots + [TraySlot("more")]), firmware: .file("a"))
        }
    }

    @Test func `that is cut or damaged anywhere is read or refused`() throws {
        let sample = try Samples.file(at: Self.path)
        var refused = 0
        for bytes in Corruption.prefixes(of: sample) + Corruption.flips(of: sample).map(\.bytes) {
            do {
                let tray = try TrayFile(parsing: bytes)
                #expect((try? TrayFile(parsing: Array(tray.text.utf8))) == tray)
            } catch { refused += 1 }
        }
        #expect(refused > sample.count)
    }
}
