import Bluetooth
import Bytes
import Firmware
import TestSupport
import Testing
import UpdateModel

@testable import CommandKit
@testable import RadioCommands

@Suite struct `A sighting` {
    @Test func `merges advertisement and scan response`() throws {
        var seen = try sighting("020106 030259FE")
        seen.add(try report("0409414243", connectable: false), at: .seconds(1))
        #expect(seen.data.name == "ABC")
        #expect(seen.mode == .bootloader)
        #expect(seen.isConnectable == true)
    }

    @Test func `is connectable when a report says so, and unknown before any report does`() throws {
        var seen = BeaconSighting(try report(connectable: nil), at: .zero)
        #expect(seen.isConnectable == nil && seen.members["connectable"] == .null)
        seen.add(try report(connectable: false), at: .zero)
        seen.add(try report(connectable: nil), at: .zero)
        #expect(seen.isConnectable == false && seen.members["connectable"] == .bool(false))
        seen.add(try report(connectable: true), at: .zero)
        seen.add(try report(connectable: false), at: .zero)
        #expect(seen.isConnectable == true)
    }

    @Test func `with an unknown value passes neither filter`() throws {
        let seen = BeaconSighting(try report(connectable: nil), at: .zero)
        #expect(try !SightingFilter("connectable=yes").passes(seen))
        #expect(try !SightingFilter("connectable=no").passes(seen))
    }

    @Test func `counts reports and keeps the first time and the last`() throws {
        var seen = BeaconSighting(try report(), at: .seconds(2))
        seen.add(try report(), at: .seconds(5))
        seen.add(try report(), at: .seconds(9))
        #expect(seen.firstSeen == .seconds(2) && seen.lastSeen == .seconds(9) && seen.reports == 3)
    }

    @Test func `has the last signal, the strongest and the mean of the reported ones`() throws {
        var seen = try sighting(rssi: nil)
        #expect(seen.rssi == nil && seen.strength.average == nil && seen.strength.maximum == nil)
        for rssi: Int8? in [-70, -40, nil, -60, -128, 127] {
            seen.add(try report(rssi: rssi), at: .zero)
        }
        #expect(seen.rssi == 127 && seen.strength.maximum == 127)
        #expect(seen.strength.average == Double(-70 - 40 - 60 - 128 + 127) / 5)
    }

    @Test func `has no interval if reports come once per discovery`() throws {
        var listening = BeaconSightings()
        for second in 0..<20 { listening.add(try report(), at: .seconds(second)) }
        #expect(listening.all.first?.advertisingInterval == nil)
        #expect(listening.all.first?.members["advertising_interval_ms"] == .null)
        var complete = BeaconSightings(isComplete: true)
        for second in 0..<20 { complete.add(try report(), at: .seconds(second)) }
        #expect(complete.all.first?.members["advertising_interval_ms"] == .number(1000))
    }

    @Test func `has the members that scripts rely on`() throws {
        let seen = try sighting("0409414243 030259FE 0319 4002 05FF4C000215 020AF4")
        let members = seen.members(WallTime(now: .zero), ScanLayout())
        #expect(members["name"] == .text("ABC") && members["mode"] == .text("bootloader"))
        #expect(members["services"] == .list([.text("FE59")]) && members["appearance"] == .integer(576))
        #expect(
            members["manufacturer_data"]
                == .list([.object(["company": .integer(76), "data": .text("0215")])])
        )
        #expect(members["tx_power"] == .integer(-12) && members["rssi_average"] == .number(-50))
        guard case .text(let date) = members["first_seen"] else {
            Issue.record("no date")
            return
        }
        #expect(date.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "\(date)")
    }
}

@Suite struct `A listener` {
    @Test func `remembers a bounded number of devices, the latest ones`() throws {
        var listening = BeaconSightings()
        for number in 0..<(SightingMemory.most + 10) {
            let high = HexText.digits(UInt8(number >> 8))
            let low = HexText.digits(UInt8(number & 0xFF))
            listening.add(try report(from: "F0:0D:00:00:\(high):\(low)"), at: .seconds(number))
        }
        #expect(listening.count == SightingMemory.most)
        #expect(listening.all.map(\.firstSeen).min() == .seconds(10))
    }
}

@Suite struct `An order of sightings` {
    static func names(_ order: SightingOrder) throws -> [String] {
        let beacons = [
            try sighting("020942", from: "F0:00:00:00:00:03", rssi: -60, at: .seconds(3)),
            try sighting("020943", from: "F0:00:00:00:00:01", rssi: -70, at: .seconds(2)),
            try sighting("", from: "F0:00:00:00:00:02", rssi: nil, at: .seconds(1)),
            try sighting("020941", from: "F0:00:00:00:00:04", rssi: -60, at: .seconds(4)),
        ]
        return order.sorted(beacons).map { String($0.address.description.suffix(1)) }
    }

    @Test(arguments: [
        (SightingOrder.rssi, ["3", "4", "1", "2"]), (.address, ["1", "2", "3", "4"]),
        (.name, ["4", "3", "1", "2"]), (.seen, ["2", "1", "3", "4"]),
    ])
    func `sorts unknown values last`(_ order: SightingOrder, _ expected: [String]) throws {
        #expect(try Self.names(order) == expected)
    }
}
