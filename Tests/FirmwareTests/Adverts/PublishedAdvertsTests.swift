import Bluetooth
import Firmware
import FoundationEssentials
import KKM
import TestSupport
import Testing
import UpdateModel

/// Reports as published, with the values they contain.
private struct Vectors: Decodable {
    struct Advert: Decodable {
        let name: String
        let kind: String
        let hex: String
        let fields: Fields
    }

    /// The values, under the member names of the frame kinds.
    struct Fields: Decodable {
        let batteryPercent: Int?
        let batteryMillivolt: Int?
        let voltage: Double?
        let battery: String?
        let firmware: Text?
        let firmwareVersion: Text?
        let firmwareByte: Text?
        let hardwareVersion: Text?
        let model: Text?
        let modelNumber: Int?
        let modelIndex: Int?
        let mac: String?
        let uniqueId: String?
        let shortId: String?
        let nearableId: String?
        let name: String?
        let txPowerDbm: Int?
        let measuredPowerDbm: Int?
        let referenceRssiDbm: Int?
        let txPowerAt0M: Int?
        let temperatureC: Double?
        let moving: Bool?
        let pinNeeded: Bool?
        let led: Bool?
        let buzzer: Bool?
        let gsensor: Bool?
        let key: Bool?
        let uuid: String?
        let major: Int?
        let minor: Int?
        let namespace: String?
        let instance: String?
        let beaconId: String?
    }

    /// A text, or a number.
    struct Text: Decodable {
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

    /// The family of the kind; several kinds of one vendor share a prefix.
    var family: Family {
        if kind == "estimote-nearable" { return .nearable }
        if kind == "aprilbrother" { return .aSensor }
        return Family.allCases.first { kind.lowercased().hasPrefix($0.rawValue) && $0 != .kkmOld } ?? .unknown
    }
}

@Suite(.enabled(if: Samples.vectors("suota.json") != nil)) struct `The published reports` {
    private func identity(of advert: Vectors.Advert) throws -> AdvertisedIdentity {
        let address = try #require(DeviceAddress("DD:34:02:06:5B:5C", .public))
        return AdvertisedIdentity(AdvertisingData([UInt8](hex: advert.hex)), from: address)
    }

    @Test(arguments: Vectors.all)
    private func `have the published battery and firmware`(_ advert: Vectors.Advert) throws {
        let identity = try identity(of: advert)
        let fields = advert.fields
        #expect(identity.charge.percent == fields.batteryPercent)
        #expect(
            identity.charge.millivolts == fields.batteryMillivolt ?? fields.voltage.map { Int($0 * 1000) })
        #expect(identity.charge.isExternal == (fields.battery == "external power"))
        #expect(
            identity.version == (fields.firmware ?? fields.firmwareVersion ?? fields.firmwareByte)?.text)
        #expect(identity.hardwareVersion == fields.hardwareVersion?.text)
    }

    @Test(arguments: Vectors.all)
    private func `have the published identity`(_ advert: Vectors.Advert) throws {
        let identity = try identity(of: advert)
        let fields = advert.fields
        // A frame that is too short identifies no beacon.
        #expect(
            identity.family
                == (fields.uniqueId == nil && advert.name.contains("short") ? .unknown : advert.family))
        #expect(identity.id == fields.mac ?? fields.uniqueId ?? fields.shortId ?? fields.nearableId)
        #expect(identity.name == fields.name)
        let number = fields.modelNumber ?? fields.modelIndex ?? fields.model.flatMap { Int($0.text) }
        #expect(identity.modelNumber == number)
        if fields.modelIndex != nil { #expect(identity.model == fields.model?.text) }
        #expect(identity.txPower == fields.txPowerDbm)
    }

    @Test(arguments: Vectors.all)
    private func `have the published measurements`(_ advert: Vectors.Advert) throws {
        let identity = try identity(of: advert)
        let fields = advert.fields
        if let celsius = fields.temperatureC {
            #expect(identity.sensors.first { $0.name == "temperature" }?.value == celsius)
        }
        let flags = [
            "moving": fields.moving, "pin-needed": fields.pinNeeded, "led": fields.led,
            "buzzer": fields.buzzer, "g-sensor": fields.gsensor, "button": fields.key,
        ]
        #expect(Set(identity.flags) == Set(flags.filter { $0.value == true }.keys))
        let power = fields.measuredPowerDbm ?? fields.referenceRssiDbm ?? fields.txPowerAt0M.map { $0 - 41 }
        #expect(
            identity.distance(rssi: -60)
                == power.flatMap { DistanceEstimate(rssi: -60, measuredPower: Int8($0)) })
    }

    @Test(arguments: Vectors.all)
    private func `have the published numbers`(_ advert: Vectors.Advert) throws {
        let fields = advert.fields
        let number: String? =
            if let uuid = fields.uuid, let major = fields.major, let minor = fields.minor {
                "ibeacon:\(uuid)/\(major)/\(minor)"
            } else if advert.kind == "eddystone-uid", let namespace = fields.namespace {
                "eddystone:\(namespace)/\(fields.instance ?? "")"
            } else { fields.beaconId.map { "altbeacon:\($0)" } }
        #expect(try identity(of: advert).numbers.map { "\($0)" } == (number.map { [$0] } ?? []))
    }

    @Test func `are all covered`() { #expect(Vectors.all.count >= 32) }
}
