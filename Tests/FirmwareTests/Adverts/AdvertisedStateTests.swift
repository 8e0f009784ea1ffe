import Bluetooth
import Firmware
import TestSupport
import Testing
import UpdateModel

@Suite struct `The battery and firmware of a beacon` {
    private static let address = DeviceAddress("DD:34:02:06:5B:5C", .public)

    private func identity(_ bytes: [UInt8]) throws -> AdvertisedIdentity {
        AdvertisedIdentity(AdvertisingData(bytes), from: try #require(Self.address))
    }

    @Test(arguments: StateVector.all) func `are read from its frame`(_ vector: StateVector) throws {
        let identity = try identity(vector.bytes)
        #expect(
            identity.charge
                == BatteryCharge(
                    percent: vector.percent, millivolts: vector.millivolts, isExternal: vector.isExternal))
        #expect(identity.version == vector.version)
    }

    @Test(arguments: StateVector.all) func `have no other value when a report is cut or changed`(
        _ vector: StateVector
    ) throws {
        for prefix in Corruption.prefixes(of: vector.bytes) {
            let identity = try identity(prefix)
            // A longer frame may end in a shorter one; the values are in range all the same.
            #expect((0...100).contains(identity.charge.percent ?? 0))
            #expect(identity.version == nil || identity.version == vector.version)
        }
        for flip in Corruption.flips(of: vector.bytes) {
            let charge = try identity(flip.bytes).charge
            #expect((0...100).contains(charge.percent ?? 0))
            #expect((1...Int(UInt16.max)).contains(charge.millivolts ?? 1))
        }
    }

    @Test func `come from frames that take turns`() throws {
        var data = AdvertisingData()
        for hex in [
            "0eff530a220563dd3402065b5c0614", "0aff530a2100030a281580", "0eff530a220562dd3402065b5c0615",
        ] {
            data = data.merged(with: AdvertisingData([UInt8](hex: hex)))
        }
        let identity = AdvertisedIdentity(data, from: try #require(Self.address))
        #expect(identity.charge == BatteryCharge(percent: 98, millivolts: 2600))
        #expect(identity.version == "6.21")
    }

    @Test(
        arguments: [
            // Estimote's telemetry has two halves with the same first byte, Kontakt's has records in turn.
            (
                "17169afe2211223344556677880100000000000000082f57",
                "17169afe2211223344556677880000000000000000000000",
                BatteryCharge(percent: 87, millivolts: 3010)
            ), ("07166afe03020c5a", "07166afe03020a64", BatteryCharge(percent: 90)),
        ])
    func `survive a frame of another kind`(
        _ first: String, _ second: String, _ charge: BatteryCharge
    ) throws {
        var identity = AdvertisedIdentity(of: try #require(Self.address))
        for hex in [first, second] { identity.hear(AdvertisingData([UInt8](hex: hex))) }
        #expect(identity.charge == charge)
    }

    @Test func `use services that another report listed`() throws {
        var identity = AdvertisedIdentity(of: try #require(Self.address))
        identity.hear(AdvertisingData([UInt8](hex: "0303f5fe")))
        identity.hear(AdvertisingData([UInt8](hex: "13ffd200dd3402065b5c021900010240000964c5")))
        #expect(identity.charge.percent == 100)
    }

    @Test func `of a frame that is one byte short survive its scan response`() throws {
        let short = AdvertisingData([UInt8](hex: "020106 0d16f0ff15033e92dd3402065b5c4b"))
        let data = short.merged(with: AdvertisingData([UInt8](hex: "0409414243")))
        #expect(AdvertisedIdentity(data, from: try #require(Self.address)).charge.percent == 75)
    }
}
