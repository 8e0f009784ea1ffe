import Bluetooth
import Bytes

extension ScenarioKind {
    static let orangeTag = ScenarioKind(
        name: "orange-tag",
        faults: [
            "refuse_write": NamedFault { .orange(.refuseWrite($0)) },
            "forget_write": NamedFault { .orange(.forgetWrite($0)) },
        ], read: FlashScenarioBeacon<OrangeTagDevice>.read)
}

extension OrangeTagDescription: FlashDescription {
    var address: DeviceAddress { advertiser.address }

    init(_ entry: inout BeaconEntry) throws(YAMLProblem) {
        var advertiser = OrangeTagAdvertiser(address: entry.address)
        advertiser.name = try entry.text("name") ?? advertiser.name
        try advertiser.standard.read(&entry)
        var description = AdvertiserDescription(address: entry.address, advertiser)
        try description.plan.read(&entry)
        try description.read(&entry)
        self.init(description)
        battery = try entry.number("battery") ?? battery
        maximumMTU = try entry.number("mtu", in: 23...247) ?? maximumMTU
        if let value = entry["values"] {
            let given = try value.values(of: OrangeTagPart.allCases.map(\.rawValue))
            for part in OrangeTagPart.allCases {
                guard let text = given[part.rawValue] else { continue }
                let bytes = try text.bytes()
                guard bytes.count <= 20 else { throw text.problem("a value can have at most 20 bytes") }
                values[part] = bytes
            }
        }
        for part in try Self.parts(entry["lacks"]) { values[part] = nil }
        unreadable = try Self.parts(entry["unreadable"])
        fixed = try Self.parts(entry["fixed"])
    }

    private static func parts(_ list: YAMLValue?) throws(YAMLProblem) -> Set<OrangeTagPart> {
        var parts: Set<OrangeTagPart> = []
        for value in try list?.list() ?? [] { parts.insert(try value.word()) }
        return parts
    }
}
