import Bluetooth
import Bytes

extension ScenarioKind {
    static let iBeacon = standard("ibeacon", [.iBeacon])
    static let eddystone = standard("eddystone", [.eddystoneUID, .eddystoneTLM])
    static let altBeacon = standard("altbeacon", [.altBeacon])

    private static func standard(_ name: String, _ frames: [FrameName]) -> ScenarioKind {
        advertiser(name) { StandardAdvertiser(address: $0.address, frames) }
    }

    /// A kind of beacons that only advertise and accept no updates; `advertiser` reads the kind's own keys.
    static func advertiser(
        _ name: String,
        _ advertiser: @escaping @Sendable (inout BeaconEntry) throws(YAMLProblem) -> any Advertiser
    ) -> ScenarioKind {
        ScenarioKind(name: name) { (entry: inout BeaconEntry) throws(YAMLProblem) -> any ScenarioBeacon in
            var own = try advertiser(&entry)
            own.name = try entry.text("name") ?? own.name
            try own.standard.read(&entry)
            var description = AdvertiserDescription(address: entry.address, own)
            try description.plan.read(&entry)
            try description.read(&entry)
            return AdvertiserScenarioBeacon(description: description, faults: try entry.faults())
        }
    }
}

extension AdvertiserDescription {
    /// Reads the keys for signal strength and Device Information.
    mutating func read(_ entry: inout BeaconEntry) throws(YAMLProblem) {
        rssi = try entry.number("rssi") ?? rssi
        guard let file = entry["information"] else { return }
        let values = try file.values(of: Self.characteristics.map(\.name))
        for (name, number) in Self.characteristics {
            guard let text = try values[name]?.text() else { continue }
            information[number] = text.isEmpty ? nil : Array(text.utf8)
        }
    }

    /// The strings of Device Information (GATT Specification Supplement).
    private static let characteristics: [(name: String, number: UInt16)] = [
        ("manufacturer", 0x2A29), ("model", 0x2A24), ("serial", 0x2A25), ("hardware", 0x2A27),
        ("firmware", 0x2A26), ("software", 0x2A28),
    ]
}

struct AdvertiserScenarioBeacon: ScenarioBeacon {
    var description: AdvertiserDescription
    var faults: [Fault] = []

    var addresses: Set<DeviceAddress> { [description.address] }

    func simulated(time: Timekeeper, in folder: StateFolder?) throws(ScenarioError) -> any SimulatedPeer {
        SimulatedBeacon(AdvertiserDevice(description, at: time.now), time: time, faults: faults)
    }
}
