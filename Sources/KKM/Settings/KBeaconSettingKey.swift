/// A key of a KBeacon's settings, as in its messages, with its allowed values (kbeacon.md, Other parameters).
struct KBeaconSettingKey: Sendable {
    enum Form: Equatable, Sendable {
        case integer(ClosedRange<Int>)
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

    static func integer(_ name: String, _ range: ClosedRange<Int>, mask: Int = 0) -> Self {
        KBeaconSettingKey(name: name, form: .integer(range), mask: mask)
    }

    static func decimal(_ name: String, _ range: ClosedRange<Double>, mask: Int = 0) -> Self {
        KBeaconSettingKey(name: name, form: .decimal(range), mask: mask)
    }

    /// A whole number, with other ranges in entries of certain types.
    static func integer(
        _ name: String, _ range: ClosedRange<Int>, byType ranges: [Int: ClosedRange<Int>]
    ) -> Self {
        KBeaconSettingKey(name: name, form: .integer(range), forms: ranges.mapValues { Form.integer($0) })
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
            KBeaconSettingKey(name: "uuid", form: .uuid, mask: 4), .integer("majorID", 0...65_535, mask: 4),
            .integer("minorID", 0...65_535, mask: 4),
            KBeaconSettingKey(name: "nid", form: .digits(20), mask: 2),
            KBeaconSettingKey(name: "sid", form: .digits(12), mask: 2),
            KBeaconSettingKey(name: "url", form: .text(3...longestURL), mask: 16),
        ]
    }

    // MARK: First generation

    private static let firstKeys: [KBeaconSettingKey] =
        [
            KBeaconSettingKey(name: "devName", form: .text(1...18), mask: 32),
            .integer("type", 0...31, mask: 32), .decimal("advPrd", 100...10_000, mask: 32),
            .integer("tlmItvl", 2...255, mask: 32), KBeaconSettingKey(name: "txPwr", form: .power, mask: 32),
            .integer("meaPwr", -100 ... -10, mask: 32), .integer("advFlag", 0...255, mask: 32),
        ] + beaconFrames(longestURL: 64) + [
            .integer("sensor", 0...3, mask: 1), .integer("msItvl", 1...65_535, mask: 1),
            .integer("tsThd", 0...65_535, mask: 1), .integer("hsThd", 0...65_535, mask: 1),
        ]

    private static let firstLists = [
        KBeaconSettingList(
            name: "trObj", identity: .integer("trType", 0...255),
            keys: [
                .integer("trAct", 0...31), .integer("trPara", any), .integer("trAMode", 0...4),
                .integer("trAType", 0...31), .integer("trATm", 10...Int(Int32.max)),
                .decimal("trAPrd", 100...10_000), .integer("htMsk", 0...31), .integer("tpAbv", -50...1000),
                .integer("tpBlw", -50...1000), .integer("htAbv", 0...100), .integer("htBlw", 0...100),
                .decimal("nSTvl", 20...10_000), .decimal("nSWin", 20...10_000),
                .integer("nAdPwr", -128...127),
                .decimal("nAdTvl", 20...10_000), .integer("nAlTvl", 1...199), .integer("nAlWin", 1...199),
                .integer("nAlFt", 10...30), .integer("nAlDs", any), .integer("nSTm", unsigned),
                .integer("nbGid", 0...4095), .integer("nbMode", 0...1),
            ], mask: 64)
    ]

    // MARK: Second generation

    private static let secondKeys: [KBeaconSettingKey] = [
        KBeaconSettingKey(name: "name", form: .text(1...18)), .integer("meaPwr", -100...10),
        .integer("atPwr", 0...1), .integer("nBlk", 0...65_535), .integer("lBlk", 0...65_535),
    ]

    private static let secondLists = [adverts, triggers, sensors]

    private static let adverts = KBeaconSettingList(
        name: "advObj", identity: .integer("slot", 0...31), companions: ["type"],
        keys: [
            .integer("type", 0...8), KBeaconSettingKey(name: "txPwr", form: .power),
            .decimal("advPrd", 100...40_000), .integer("conn", 0...1), .integer("mode", 0...2),
            .integer("trAdv", 0...1), .integer("chMsk", 0...7),
        ] + beaconFrames(longestURL: 60)
            + ["ht", "axis", "lux", "pir", "voc", "co2", "rcd", "mag"].map { .integer($0, 0...1) } + [
                .integer("aes", 0...255), .integer("aoa", 0...255), .integer("aItvl", 0...255),
                .integer("enItvl", 1...100),
            ], mask: 2)

    private static let triggers = KBeaconSettingList(
        name: "trObj", identity: .integer("trIdx", 0...31), companions: ["trType"], typeKey: "trType",
        keys: [
            .integer("trType", 0...255), .integer("trAct", 0...63),
            // By type: 1 sensitivity; 8 and 9 degrees Celsius; 10, 11 percent; 12, 13 s; 14, 15 lux; 20 ms.
            .integer(
                "trPara", any,
                byType: [
                    1: 1...127, 8: -50...1000, 9: -50...1000, 10: 1...99, 11: 1...99, 12: 3...36_000,
                    13: 5...3600, 14: 1...65_535, 15: 1...65_535, 20: 100...43_200_000,
                ]),
            .integer("trAChg", 0...1), .integer("slot", 0...31), .integer("trATm", 1...7200),
            .decimal("trAPrd", 100...Double(Int32.max)), KBeaconSettingKey(name: "trAPwr", form: .power),
            .integer("odr", 0...3), .integer("ocnt", 1...255), .integer("rptPrd", 0...255),
            .integer("aAng", -90...90),
        ], mask: 4)

    private static let sensors = KBeaconSettingList(
        name: "srObj", identity: .integer("srType", 0...255), typeKey: "srType",
        keys: [
            .integer("log", 0...1),
            .integer(
                "msItvl", 1...65_535,
                byType: [0x02: 1...200, 0x10: 1...200, 0x20: 1...200, 0x40: 3...200, 0x41: 10...3600]),
            .integer("lgItvl", 1...14_400), .integer("tsThd", 0...200), .integer("hsThd", 0...200),
            .integer("dPrd0", unsigned), .integer("dPrd1", unsigned), .integer("dPrd2", unsigned),
            KBeaconSettingKey(name: "model", form: .integer(any), isReadOnly: true),
            .integer("co2Thd", 0...256),
            .integer("asc", 0...1), .integer("pThd", 256...65_535), .integer("pDly", 1...100),
            .integer("tag", 0...1),
            .integer("fcl", 0...1), .integer("luxThd", 0...65_535), .integer("id", 0...6),
            KBeaconSettingKey(name: "uri", form: .text(0...256)), .integer("bkOff", 5...3600),
            .integer("vocThd", 1...250), .integer("noxThd", 1...250), .integer("mode", 0...2),
            .integer("rssi", -100...10), .integer("dur", 1...60_000), .integer("chMsk", 0...6),
            .integer("itvl", 0...7200), .integer("mItvl", 0...7200), .integer("aSlot", 0...255),
            .integer("max", 1...100),
        ], mask: 8)
}
