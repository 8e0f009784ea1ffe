import BeaconIdentity
import BluetoothTypes
import FoundationEssentials
import TestSupport
import Testing

/// Reports as published, with what they say.
private struct Vectors: Decodable {
    struct Advert: Decodable {
        let name: String
        let hex: String
        let fields: Fields
    }

    /// What is said of battery and firmware, under the names that the kinds of frames have for it.
    struct Fields: Decodable {
        let batteryPercent: Int?
        let batteryMillivolt: Int?
        let voltage: Double?
        let battery: String?
        let firmware: Version?
        let firmwareVersion: Version?
        let firmwareByte: Version?
    }

    /// A text, or a number.
    struct Version: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            text = try (try? value.decode(Int.self)).map(String.init) ?? value.decode(String.self)
        }
    }

    let adverts: [Advert]

    static let all: [Advert] =
        Samples.vectors("suota.json").flatMap {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return try? decoder.decode(Vectors.self, from: Data($0)).adverts
        } ?? []
}

extension Vectors.Advert: CustomTestStringConvertible {
    var testDescription: String { name }
}

@Suite(.enabled(if: Samples.vectors("suota.json") != nil)) struct `The published reports` {
    @Test(arguments: Vectors.all)
    private func `say of battery and firmware what is published`(_ advert: Vectors.Advert) throws {
        let address = try #require(DeviceAddress("DD:34:02:06:5B:5C", .public))
        let state = AdvertisedState(AdvertisingData([UInt8](hex: advert.hex)), from: address)
        let fields = advert.fields
        #expect(state.charge.percent == fields.batteryPercent)
        #expect(
            state.charge.millivolts == fields.batteryMillivolt ?? fields.voltage.map { Int($0 * 1000) })
        #expect(state.charge.isExternal == (fields.battery == "external power"))
        #expect(
            state.version == (fields.firmware ?? fields.firmwareVersion ?? fields.firmwareByte)?.text)
    }

    @Test func `are all there`() { #expect(Vectors.all.count >= 32) }
}
