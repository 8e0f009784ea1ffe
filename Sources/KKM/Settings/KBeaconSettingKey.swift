/// A key of a KBeacon's settings, as in its messages, with its allowed values (kbeacon.md, Other parameters).
struct KBeaconSettingKey: Sendable {
    enum Form: Equatable, Sendable {
        case whole(ClosedRange<Int>)
        /// With or without a fraction.
        case decimal(ClosedRange<Double>)
        /// Printable ASCII, with a length in this range.
        case text(ClosedRange<Int>)
        /// `0x` and this many hexadecimal digits.
        case digits(Int)
        case uuid
        /// dBm, in the range of power that the beacon reports.
        case power
    }

    let name: String
    let form: Form
    /// The allowed values by type of the entry, for the types where they differ from `form`.
    var forms: [Int: Form] = [:]
    /// The bit of the key's group in `stype`, in the first generation; 0 in the second.
    var mask = 0
    /// Whether the beacon reports the value, but cannot be told another one.
    var isReadOnly = false

    func form(in type: Int?) -> Form { type.flatMap { forms[$0] } ?? form }

    static func whole(_ name: String, _ range: ClosedRange<Int>, mask: Int = 0) -> Self {
        KBeaconSettingKey(name: name, form: .whole(range), mask: mask)
    }

    static func decimal(_ name: String, _ range: ClosedRange<Double>, mask: Int = 0) -> Self {
        KBeaconSettingKey(name: name, form: .decimal(range), mask: mask)
    }

    /// A whole number, with other ranges in entries of certain types.
    static func whole(
        _ name: String, _ range: ClosedRange<Int>, byType ranges: [Int: ClosedRange<Int>]
    ) -> Self {
        KBeaconSettingKey(name: name, form: .whole(range), forms: ranges.mapValues { Form.whole($0) })
    }
}

struct KBeaconSettingList: Sendable {
    let name: String
    /// The key that identifies its entries.
    let identity: KBeaconSettingKey
    /// Keys that a beacon requires in every message about an entry.
    var companions: [String] = []
    /// The key whose value is the type of an entry; nil if entries have no types.
    var typeKey: String?
    let keys: [KBeaconSettingKey]
    /// The bit of the list's group, for reading it.
    let mask: Int

    var allKeys: [KBeaconSettingKey] { [identity] + keys }
}

extension KBeaconGeneration {
    var settingKeys: [KBeaconSettingKey] { self == .first ? Self.firstKeys : Self.secondKeys }
    var settingLists: [KBeaconSettingList] { self == .first ? Self.firstLists : Self.secondLists }

    func list(_ name: String) -> KBeaconSettingList? { settingLists.first { $0.name == name } }

    func keys(of name: String?) -> [KBeaconSettingKey] {
        guard let name else { return settingKeys }
        return list(name)?.allKeys ?? []
    }

    /// Keys in answers, outside lists, that are not settings: the identity, the password, and keywords of the messages.
    static let nonSettings: Set<String> = [
        "model", "modle", "ver", "hver", "btPt", "id", "bCap", "trCap", "minPwr", "maxPwr", "maxPrd",
        "maxSlot", "maxTg", password, "msg", "stype",
    ]
    static let password = "pwd"
    /// The first generation's group mask for reading everything at once.
    static let everything = 55

    /// The range of keys for which the maker documents none.
    private static let any = -Int(Int32.max)...Int(Int32.max)
    private static let unsigned = 0...Int(UInt32.max)

    private static func beaconFrames(longestURL: Int) -> [KBeaconSettingKey] {
        [
            KBeaconSettingKey(name: "uuid", form: .uuid, mask: 4), .whole("majorID", 0...65_535, mask: 4),
            .whole("minorID", 0...65_535, mask: 4),
            KBeaconSettingKey(name: "nid", form: .digits(20), mask: 2),
            KBeaconSettingKey(name: "sid", form: .digits(12), mask: 2),
            KBeaconSettingKey(name: "url", form: .text(3...longestURL), mask: 16),
        ]
    }

    // MARK: First generation

    private static let firstKeys: [KBeaconSettingKey] =
        [
            KBeaconSettingKey(name: "devName", form: .text(1...18), mask: 32),
            .whole("type", 0...31, mask: 32), .decimal("advPrd", 100...10_000, mask: 32),
            .whole("tlmItvl", 2...255, mask: 32), KBeaconSettingKey(name: "txPwr", form: .power, mask: 32),
            .whole("meaPwr", -100 ... -10, mask: 32), .whole("advFlag", 0...255, mask: 32),
        ] + beaconFrames(longestURL: 64) + [
            .whole("sensor", 0...3, mask: 1), .whole("msItvl", 1...65_535, mask: 1),
            .whole("tsThd", 0...65_535, mask: 1), .whole("hsThd", 0...65_535, mask: 1),
        ]

    private static let firstLists = [
        KBeaconSettingList(
            name: "trObj", identity: .whole("trType", 0...255),
            keys: [
                .whole("trAct", 0...31), .whole("trPara", any), .whole("trAMode", 0...4),
                .whole("trAType", 0...31), .whole("trATm", 10...Int(Int32.max)),
                .decimal("trAPrd", 100...10_000), .whole("htMsk", 0...31), .whole("tpAbv", -50...1000),
                .whole("tpBlw", -50...1000), .whole("htAbv", 0...100), .whole("htBlw", 0...100),
                .decimal("nSTvl", 20...10_000), .decimal("nSWin", 20...10_000), .whole("nAdPwr", -128...127),
                .decimal("nAdTvl", 20...10_000), .whole("nAlTvl", 1...199), .whole("nAlWin", 1...199),
                .whole("nAlFt", 10...30), .whole("nAlDs", any), .whole("nSTm", unsigned),
                .whole("nbGid", 0...4095), .whole("nbMode", 0...1),
            ], mask: 64)
    ]

    // MARK: Second generation

    private static let secondKeys: [KBeaconSettingKey] = [
        KBeaconSettingKey(name: "name", form: .text(1...18)), .whole("meaPwr", -100...10),
        .whole("atPwr", 0...1), .whole("nBlk", 0...65_535), .whole("lBlk", 0...65_535),
    ]

    private static let secondLists = [adverts, triggers, sensors]

    private static let adverts = KBeaconSettingList(
        name: "advObj", identity: .whole("slot", 0...31), companions: ["type"],
        keys: [
            .whole("type", 0...8), KBeaconSettingKey(name: "txPwr", form: .power),
            .decimal("advPrd", 100...40_000), .whole("conn", 0...1), .whole("mode", 0...2),
            .whole("trAdv", 0...1), .whole("chMsk", 0...7),
        ] + beaconFrames(longestURL: 60)
            + ["ht", "axis", "lux", "pir", "voc", "co2", "rcd", "mag"].map { .whole($0, 0...1) } + [
                .whole("aes", 0...255), .whole("aoa", 0...255), .whole("aItvl", 0...255),
                .whole("enItvl", 1...100),
            ], mask: 2)

    private static let triggers = KBeaconSettingList(
        name: "trObj", identity: .whole("trIdx", 0...31), companions: ["trType"], typeKey: "trType",
        keys: [
            .whole("trType", 0...255), .whole("trAct", 0...63),
            // By type: 1 sensitivity; 8 and 9 degrees Celsius; 10, 11 percent; 12, 13 s; 14, 15 lux; 20 ms.
            .whole(
                "trPara", any,
                byType: [
                    1: 1...127, 8: -50...1000, 9: -50...1000, 10: 1...99, 11: 1...99, 12: 3...36_000,
                    13: 5...3600, 14: 1...65_535, 15: 1...65_535, 20: 100...43_200_000,
                ]),
            .whole("trAChg", 0...1), .whole("slot", 0...31), .whole("trATm", 1...7200),
            .decimal("trAPrd", 100...Double(Int32.max)), KBeaconSettingKey(name: "trAPwr", form: .power),
            .whole("odr", 0...3), .whole("ocnt", 1...255), .whole("rptPrd", 0...255),
            .whole("aAng", -90...90),
        ], mask: 4)

    private static let sensors = KBeaconSettingList(
        name: "srObj", identity: .whole("srType", 0...255), typeKey: "srType",
        keys: [
            .whole("log", 0...1),
            .whole(
                "msItvl", 1...65_535,
                byType: [0x02: 1...200, 0x10: 1...200, 0x20: 1...200, 0x40: 3...200, 0x41: 10...3600]),
            .whole("lgItvl", 1...14_400), .whole("tsThd", 0...200), .whole("hsThd", 0...200),
            .whole("dPrd0", unsigned), .whole("dPrd1", unsigned), .whole("dPrd2", unsigned),
            KBeaconSettingKey(name: "model", form: .whole(any), isReadOnly: true), .whole("co2Thd", 0...256),
            .whole("asc", 0...1), .whole("pThd", 256...65_535), .whole("pDly", 1...100), .whole("tag", 0...1),
            .whole("fcl", 0...1), .whole("luxThd", 0...65_535), .whole("id", 0...6),
            KBeaconSettingKey(name: "uri", form: .text(0...256)), .whole("bkOff", 5...3600),
            .whole("vocThd", 1...250), .whole("noxThd", 1...250), .whole("mode", 0...2),
            .whole("rssi", -100...10), .whole("dur", 1...60_000), .whole("chMsk", 0...6),
            .whole("itvl", 0...7200), .whole("mItvl", 0...7200), .whole("aSlot", 0...255),
            .whole("max", 1...100),
        ], mask: 8)
}
