import Bluetooth
import Bytes

extension ScenarioKind {
    /// Beacons that only advertise and accept no updates: one kind for each product family of each vendor.
    static let advertisers: [ScenarioKind] = [
        advertiser("kkm", KKMAdvertiser.init(reading:)),
        advertiser("kkm-old") { entry in OldKKMAdvertiser(address: entry.address) },
        advertiser("feasycom", FeasycomAdvertiser.init(reading:)),
        advertiser("kontakt", KontaktAdvertiser.init(reading:)),
        advertiser("estimote", EstimoteAdvertiser.init(reading:)),
        advertiser("nearable", NearableAdvertiser.init(reading:)),
        advertiser("asensor", ASensorAdvertiser.init(reading:)),
        standard("ibeacon", [.iBeacon]),
        standard("eddystone", [.eddystoneUID, .eddystoneTLM]),
        standard("altbeacon", [.altBeacon]),
    ]

    private static func standard(_ name: String, _ frames: [FrameName]) -> ScenarioKind {
        advertiser(name) { entry in StandardAdvertiser(address: entry.address, frames) }
    }

    /// A kind with specific keys, which `advertiser` reads.
    private static func advertiser(
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
