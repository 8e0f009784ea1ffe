import Bluetooth
import Bytes

/// The settings of a KBeacon, which survive links and power losses (kbeacon.md, Common parameters, Other parameters).
struct KBeaconSettings: Codable, Hashable, Sendable {
    var password = KBeaconDescription.factoryPassword
    /// The top-level parameters, by key.
    var values: [String: KBeaconValue] = [:]
    var adverts: [Int: [String: KBeaconValue]] = [:]
    /// The triggers, by type in the first generation and by index in the second.
    var triggers: [Int: [String: KBeaconValue]] = [:]
    var sensors: [Int: [String: KBeaconValue]] = [:]

    var name: String { (values["devName"] ?? values["name"])?.text ?? "" }

    /// UUID, major and minor of its iBeacon; empty if it has none.
    var iBeacon: [String: KBeaconValue] {
        values["uuid"] == nil ? adverts.values.first { $0["type"] == .number(5) } ?? [:] : values
    }

    init(factory description: KBeaconDescription, _ standard: StandardIdentity) {
        let name = KBeaconValue.text(description.factoryName)
        let iBeacon = [
            "uuid": .text(standard.uuid.description), "majorID": .number(Int(standard.major)),
            "minorID": KBeaconValue.number(Int(standard.minor)),
        ]
        switch description.generation {
        case .first:
            values = [
                "devName": name, "txPwr": .number(0), "meaPwr": .number(-59), "type": .number(13),
                "advPrd": .number(1000), "tlmItvl": .number(10), "advFlag": .number(5),
                "url": .text(standard.url), "nid": .text("0x" + HexText.encode(standard.namespace)),
                "sid": .text("0x" + HexText.encode(standard.instance)), "sensor": .number(0),
                "msItvl": .number(5), "tsThd": .number(5), "hsThd": .number(30),
            ].merging(iBeacon) { $1 }
            for type in [1, 2, 4, 8] where description.triggerCapabilities & UInt64(type) != 0 {
                triggers[type] = FirstParameters.trigger(type)
            }
        case .second:
            values = [
                "name": name, "meaPwr": .number(-59), "atPwr": .number(1), "nBlk": .number(0),
                "lBlk": .number(0),
            ]
            // The factory adverts: system, iBeacon, sensor, TLM, and none in all other slots.
            for (slot, type) in [6, 5, 1, 3].enumerated() where slot < description.slots {
                adverts[slot] = Self.advert(slot, type).merging(type == 5 ? iBeacon : [:]) { $1 }
            }
            for slot in adverts.count..<max(adverts.count, description.slots) {
                adverts[slot] = Self.advert(slot, 0)
            }
            for type in SecondParameters.sensorBits.keys where description.has(sensor: type) {
                sensors[type] = SecondParameters.defaults(ofSensor: type)
            }
        }
    }

    private static func advert(_ slot: Int, _ type: Int) -> [String: KBeaconValue] {
        [
            "slot": slot, "type": type, "txPwr": 0, "advPrd": 1000, "conn": 1, "mode": 0, "trAdv": 0,
            "chMsk": 0,
        ].mapValues(KBeaconValue.number).merging(SecondParameters.advert(type)) { $1 }
    }

    /// Adds the initial settings of a scenario, an object with the keys of `cfg`, without checking their values.
    mutating func take(_ members: [String: KBeaconValue], of generation: KBeaconGeneration) {
        let places: [String: (identity: String, list: WritableKeyPath<Self, [Int: [String: KBeaconValue]]>)] =
            [
                "advObj": ("slot", \.adverts), "srObj": ("srType", \.sensors),
                "trObj": (generation == .first ? "trType" : "trIdx", \.triggers),
            ]
        for (key, value) in members {
            guard let (identity, list) = places[key], let objects = value.objects else {
                values[key] = value
                continue
            }
            for object in objects {
                guard let number = object[identity]?.number else { continue }
                self[keyPath: list][number, default: [:]].merge(object) { $1 }
            }
        }
    }
}

extension KBeaconDescription {
    func has(sensor type: Int) -> Bool { SecondParameters.sensorBits[type].map(can) ?? false }

    func has(trigger type: Int) -> Bool {
        switch generation {
        case .first: [1, 2, 4, 8].contains(type) && triggerCapabilities & UInt64(type) != 0
        case .second: (1...64).contains(type) && triggerCapabilities >> UInt64(type - 1) & 1 != 0
        }
    }
}
