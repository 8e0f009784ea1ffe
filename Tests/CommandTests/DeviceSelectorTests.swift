import Bluetooth
import Firmware
import TestSupport
import Testing
import UpdateModel

@testable import CommandKit

@Suite struct `A device selector` {
    @Test func `without a type matches the address of either type`() throws {
        let selector = try #require(DeviceSelector(argument: "80:EA:CA:00:00:07"))
        for kind in [DeviceAddress.Kind.public, .random] {
            let address = try #require(DeviceAddress("80:EA:CA:00:00:07", kind))
            #expect(selector.matches(Self.heard(address)))
            #expect(selector.addresses.contains(address))
        }
        #expect(!selector.matches(Self.heard(try #require(DeviceAddress("80:EA:CA:00:00:08", .public)))))
        #expect("\(selector)" == "80:EA:CA:00:00:07")
        #expect(!selector.isUnique)
    }

    @Test(arguments: [DeviceAddress.Kind.public, .random])
    func `with a type matches that type only, and prints it`(_ kind: DeviceAddress.Kind) throws {
        let text = "80:EA:CA:00:00:07/\(kind.rawValue)"
        let selector = try #require(DeviceSelector(argument: text))
        for other in [DeviceAddress.Kind.public, .random] {
            let address = try #require(DeviceAddress("80:EA:CA:00:00:07", other))
            #expect(selector.matches(Self.heard(address)) == (other == kind))
        }
        #expect("\(selector)" == text)
        #expect(selector.isUnique)
    }

    @Test(arguments: ["80:EA:CA:00:00:07/", "80:EA:CA:00:00:07/static", "80:EA:CA:00:00/public", "/public"])
    func `of another form is refused`(_ text: String) {
        #expect(DeviceSelector(argument: text) == nil)
    }

    @Test func `by name takes a pattern`() throws {
        let shelf = try sighting("08095368656C662031")
        #expect(try #require(DeviceSelector(argument: "name:Shelf 1")).matches(shelf))
        #expect(try #require(DeviceSelector(argument: "name:Sh*")).matches(shelf))
        #expect(try !#require(DeviceSelector(argument: "name:Sh")).matches(shelf))
    }

    @Test func `by id matches the id in vendor frames, in either case`() throws {
        let kontakt = try sighting("080961626364656667020A040A160DD061626364040264")
        let selector = try #require(DeviceSelector(argument: "id:ABCD"))
        #expect(selector.matches(kontakt))
        #expect(try !selector.matches(sighting("08095368656C662031")))
        #expect("\(selector)" == "id:ABCD")
    }

    @Test(arguments: [
        (0, nil), (1, "motion"), (2, nil), (4, nil), (5, "a click"), (8, "a long press"), (9, nil),
    ])
    func `by iBeacon includes the offsets of triggers`(_ offset: Int, _ words: String?) throws {
        let uuid = "E2C56DB5DFFB48D2B060D0F5A71096F" + String(offset, radix: 16).uppercased()
        let iBeacon = "1AFF4C000215" + uuid + "193605B2C5"
        let seen = try sighting(iBeacon + "0916802064040000 0000")
        let selector = try #require(
            DeviceSelector(argument: "ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096F0/6454/1458"))
        #expect(selector.matches(seen) == (offset == 0))
        #expect(selector.trigger(of: seen)?.words == words)
        // A user may have two beacons with consecutive UUIDs.
        #expect(try selector.trigger(of: sighting(iBeacon)) == nil)
    }

    @Test func `by iBeacon carries a trigger's offset into the next byte`() throws {
        let configured = ProximityIdentity.Number.iBeacon(
            uuid: BluetoothUUID(high: .max, low: .max), major: 1, minor: 2)
        let seen = ProximityIdentity.Number.iBeacon(
            uuid: BluetoothUUID(high: 0, low: 4), major: 1, minor: 2)
        #expect(IBeaconTrigger(of: configured, seenAs: seen) == .click)
    }

    private static func heard(_ address: DeviceAddress) -> BeaconSighting {
        BeaconSighting(
            Advertisement(address: address, rssi: nil, isConnectable: true, data: AdvertisingData()),
            at: .zero)
    }
}
