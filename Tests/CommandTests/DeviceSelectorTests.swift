import BluetoothTypes
import Testing

@testable import BeaconCommands

@Suite struct `A device selector` {
    @Test func `without a type means the address of either`() throws {
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
    func `with a type means that one only, and shows it`(_ kind: DeviceAddress.Kind) throws {
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
    func `of another form is none`(_ text: String) {
        #expect(DeviceSelector(argument: text) == nil)
    }

    private static func heard(_ address: DeviceAddress) -> Advertisement {
        Advertisement(address: address, rssi: nil, isConnectable: true, data: AdvertisingData())
    }
}
