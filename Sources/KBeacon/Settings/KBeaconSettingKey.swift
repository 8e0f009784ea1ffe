/// A key of a KBeacon's settings, as its messages call it, and what its value may be (kbeacon.md, Settings).
struct KBeaconSettingKey: Sendable {
    /// What a value may be.
    enum Form: Equatable, Sendable {
        case whole(ClosedRange<Int>)
        /// With or without a fraction.
        case decimal(ClosedRange<Double>)
        /// Printable ASCII, of so many characters.
        case text(ClosedRange<Int>)
        /// `0x` and so many hexadecimal digits.
        case digits(Int)
        case uuid
        /// dBm, from what the beacon says is its least power to its most.
        case power
    }

    let name: String
    let form: Form
    /// What the first generation calls the group that it is read and written with; 0 in the second.
    var mask = 0

    /// The keys whose value says which entry of a list is meant.
    static let slot = KBeaconSettingKey(name: "slot", form: .whole(0...31))
    static let triggerIndex = KBeaconSettingKey(name: "trIdx", form: .whole(0...31))
    static let triggerType = KBeaconSettingKey(name: "trType", form: .whole(0...255))
    static let sensorType = KBeaconSettingKey(name: "srType", form: .whole(0...255))
}

/// A list in a KBeacon's settings.
struct KBeaconSettingList: Sendable {
    let name: String
    /// The key by which its entries are told apart.
    let identity: KBeaconSettingKey
    /// Keys that a beacon wants in every message about an entry.
    var companions: [String] = []
    let keys: [KBeaconSettingKey]
    /// As what kind of parameters it is read.
    let mask: Int

    /// All of an entry's keys.
    var allKeys: [KBeaconSettingKey] { [identity] + keys }
}

extension KBeaconGeneration {
    /// The keys outside lists.
    var settingKeys: [KBeaconSettingKey] { self == .first ? Self.firstKeys : Self.secondKeys }
    /// The lists.
    var settingLists: [KBeaconSettingList] { self == .first ? Self.firstLists : Self.secondLists }

    private static let beaconFrames: [(KBeaconSettingKey, mask: Int)] = [
        (KBeaconSettingKey(name: "uuid", form: .uuid), 4),
        (KBeaconSettingKey(name: "majorID", form: .whole(0...65535)), 4),
        (KBeaconSettingKey(name: "minorID", form: .whole(0...65535)), 4),
        (KBeaconSettingKey(name: "nid", form: .digits(20)), 2),
        (KBeaconSettingKey(name: "sid", form: .digits(12)), 2),
        (KBeaconSettingKey(name: "url", form: .text(3...64)), 16),
    ]

    private static let firstKeys: [KBeaconSettingKey] =
        [
            KBeaconSettingKey(name: "devName", form: .text(1...18), mask: 32),
            KBeaconSettingKey(name: "type", form: .whole(0...31), mask: 32),
            KBeaconSettingKey(name: "advPrd", form: .decimal(100...10_000), mask: 32),
            KBeaconSettingKey(name: "tlmItvl", form: .whole(2...100), mask: 32),
            KBeaconSettingKey(name: "txPwr", form: .power, mask: 32),
            KBeaconSettingKey(name: "meaPwr", form: .whole(-100 ... -10), mask: 32),
            KBeaconSettingKey(name: "advFlag", form: .whole(0...255), mask: 32),
        ]
        + beaconFrames.map { key, mask in
            KBeaconSettingKey(name: key.name, form: key.form, mask: mask)
        } + [
            KBeaconSettingKey(name: "sensor", form: .whole(0...3), mask: 1),
            KBeaconSettingKey(name: "msItvl", form: .whole(1...65535), mask: 1),
            KBeaconSettingKey(name: "tsThd", form: .whole(0...65535), mask: 1),
            KBeaconSettingKey(name: "hsThd", form: .whole(0...65535), mask: 1),
        ]

    private static let firstLists = [
        KBeaconSettingList(
            name: "trObj", identity: .triggerType,
            keys: [
                KBeaconSettingKey(name: "trAct", form: .whole(0...255)),
                KBeaconSettingKey(name: "trPara", form: .whole(0...255)),
                KBeaconSettingKey(name: "trAMode", form: .whole(0...2)),
                KBeaconSettingKey(name: "trAType", form: .whole(0...31)),
                KBeaconSettingKey(name: "trATm", form: .whole(10...7200)),
                KBeaconSettingKey(name: "trAPrd", form: .decimal(100...10_000)),
                KBeaconSettingKey(name: "htMsk", form: .whole(0...15)),
                KBeaconSettingKey(name: "tpAbv", form: .whole(-50...1000)),
                KBeaconSettingKey(name: "tpBlw", form: .whole(-50...1000)),
                KBeaconSettingKey(name: "htAbv", form: .whole(0...100)),
                KBeaconSettingKey(name: "htBlw", form: .whole(0...100)),
            ], mask: 64)
    ]

    private static let secondKeys = [
        KBeaconSettingKey(name: "name", form: .text(1...18)),
        KBeaconSettingKey(name: "meaPwr", form: .whole(-80...0)),
        KBeaconSettingKey(name: "atPwr", form: .whole(0...1)),
        KBeaconSettingKey(name: "nBlk", form: .whole(0...65535)),
        KBeaconSettingKey(name: "lBlk", form: .whole(0...65535)),
    ]

    private static let secondLists = [
        KBeaconSettingList(
            name: "advObj", identity: .slot, companions: ["type"],
            keys: [
                KBeaconSettingKey(name: "type", form: .whole(0...8)),
                KBeaconSettingKey(name: "txPwr", form: .power),
                KBeaconSettingKey(name: "advPrd", form: .decimal(100...40_000)),
                KBeaconSettingKey(name: "conn", form: .whole(0...1)),
                KBeaconSettingKey(name: "mode", form: .whole(0...2)),
                KBeaconSettingKey(name: "trAdv", form: .whole(0...1)),
                KBeaconSettingKey(name: "chMsk", form: .whole(0...7)),
            ] + beaconFrames.map(\.0), mask: 2),
        KBeaconSettingList(
            name: "trObj", identity: .triggerIndex, companions: ["trType"],
            keys: [
                .triggerType,
                KBeaconSettingKey(name: "trAct", form: .whole(0...255)),
                KBeaconSettingKey(name: "trPara", form: .whole(0...65535)),
                KBeaconSettingKey(name: "trAChg", form: .whole(0...1)),
                .slot,
                KBeaconSettingKey(name: "trATm", form: .whole(1...7200)),
                KBeaconSettingKey(name: "trAPrd", form: .decimal(100...40_000)),
                KBeaconSettingKey(name: "trAPwr", form: .power),
            ], mask: 4),
        KBeaconSettingList(
            name: "srObj", identity: .sensorType,
            keys: [
                KBeaconSettingKey(name: "log", form: .whole(0...1)),
                KBeaconSettingKey(name: "msItvl", form: .whole(1...65535)),
                KBeaconSettingKey(name: "lgItvl", form: .whole(1...65535)),
                KBeaconSettingKey(name: "tsThd", form: .whole(0...65535)),
                KBeaconSettingKey(name: "hsThd", form: .whole(0...65535)),
                KBeaconSettingKey(name: "dPrd0", form: .whole(0...Int(UInt32.max))),
                KBeaconSettingKey(name: "dPrd1", form: .whole(0...Int(UInt32.max))),
                KBeaconSettingKey(name: "dPrd2", form: .whole(0...Int(UInt32.max))),
            ], mask: 8),
    ]
}
