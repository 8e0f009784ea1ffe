import BluetoothTypes
import SimulatedDevice

extension LegacyDevice {
    private static let personalities: [String: LegacyPersonality] = [
        "sdk-4": .sdk4, "sdk-5.2": .sdk5_2, "sdk-6.1": .sdk6_1, "sdk-7": .sdk7, "sdk-8": .sdk8,
        "dfu-0.7": .hashing, "sdk-11": .sdk11, "sdk-11-two-banks": .sdk11TwoBanks,
        "sdk-11-signed": .sdk11Signed, "adafruit": .adafruit,
    ]

    init(_ file: ScenarioFile.Beacon, _ address: DeviceAddress) throws(Scenario.Flaw) {
        self.init(
            try Self.choice(file.personality ?? "sdk-11", of: "personality", Self.personalities, address))
        type = file.deviceType
        revision = file.deviceRevision
        answersEntry = file.answersEntry ?? true
        if let name = file.imageCheck {
            personality.imageCheck = try Self.choice(
                name, of: "image_check",
                Self.table(LegacyPersonality.ImageCheck.allCases), address)
        }
        if let name = file.handover {
            handover = try Self.choice(name, of: "handover", Self.table(Handover.allCases), address)
        }
    }

    /// Whether the application can be sent to its bootloader.
    static func buttonless(
        _ kind: String?, _ address: DeviceAddress
    ) throws(Scenario.Flaw) -> ButtonlessKind {
        try choice(
            kind ?? "legacy", of: "buttonless", ["legacy": ButtonlessKind.named, "none": .none], address)
    }

    private static func table<Value: RawRepresentable<String>>(_ values: [Value]) -> [String: Value] {
        Dictionary(uniqueKeysWithValues: values.map { ($0.rawValue, $0) })
    }

    private static func choice<Value>(
        _ name: String, of key: String, _ known: [String: Value], _ address: DeviceAddress
    ) throws(Scenario.Flaw) -> Value {
        guard let value = known[name] else {
            let list = known.keys.sorted().joined(separator: ", ")
            throw Scenario.Flaw(text: "\(address): \(key) is one of \(list), not \(name)")
        }
        return value
    }
}
