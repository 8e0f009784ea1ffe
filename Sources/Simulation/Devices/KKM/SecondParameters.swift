/// The parameters of the second generation (kbeacon.md, Common parameters, Other parameters).
enum SecondParameters {
    // The bits of `type` in `getPara`.
    static let common = 1
    static let adverts = 2
    static let triggers = 4
    static let sensors = 8

    static let commonParameters =
        [
            "model", "ver", "hver", "btPt", "id", "bCap", "trCap", "minPwr", "maxPwr", "maxPrd", "maxSlot",
            "maxTg",
        ].map { KBeaconParameter(key: $0, rule: .fixed) }
        + .init([
            "name": .text(1...18), "meaPwr": .number(-80...0), "atPwr": .number(0...1),
            "nBlk": .number(0...65535), "lBlk": .number(0...65535), "pwd": .password(8...16),
        ])

    static let longestPeriod = 40_000

    private static let whole = -Int(Int32.max)...Int(Int32.max)

    private static func numbers(_ ranges: [(String, ClosedRange<Int>)]) -> [KBeaconParameter] {
        ranges.map { KBeaconParameter(key: $0, rule: .number($1)) }
    }

    static func advert(_ powers: ClosedRange<Int>, _ slots: Int) -> [KBeaconParameter] {
        .init([
            "slot": .number(0...max(0, slots - 1)), "type": .number(0...8), "txPwr": .number(powers),
            "advPrd": .decimal(100...Double(longestPeriod)), "conn": .number(0...1), "mode": .number(0...2),
            "trAdv": .number(0...1), "chMsk": .number(0...6), "uuid": .uuid, "majorID": .number(0...65535),
            "minorID": .number(0...65535), "nid": .bytes(10), "sid": .bytes(6), "url": .text(3...100),
        ]) + numbers(["ht", "axis", "lux", "pir", "voc", "co2", "rcd", "mag"].map { ($0, 0...1) })
            + numbers([("aes", 0...1), ("aoa", 0...255), ("aItvl", 0...255), ("enItvl", 1...100)])
    }

    /// The defaults of the parameters that only this type of advert has.
    static func advert(_ type: Int) -> [String: KBeaconValue] {
        let numbers: [String: Int] =
            switch type {
            case 1:
                ["ht": 1, "axis": 1, "lux": 0, "pir": 0, "voc": 0, "co2": 0, "rcd": 0, "mag": 0, "aes": 0]
            case 7: ["aoa": 0, "axis": 0, "aItvl": 10]
            case 8: ["aes": 1, "enItvl": 5]
            default: [:]
            }
        return numbers.mapValues(KBeaconValue.number)
    }

    static func trigger(
        _ type: Int, _ powers: ClosedRange<Int>, _ triggers: Int, _ slots: Int
    ) -> [KBeaconParameter] {
        numbers([
            ("trIdx", 0...max(0, triggers - 1)), ("trType", 1...64), ("trAct", 0...0x3F),
            ("trPara", parameterRanges[type] ?? whole), ("trAChg", 0...1), ("slot", 0...max(0, slots - 1)),
            ("trATm", 1...7200), ("trAPwr", powers),
        ]) + .init(["trAPrd": .decimal(100...Double(longestPeriod))])
            + numbers(type == 1 ? [("odr", 0...3), ("ocnt", 1...255)] : [])
            + numbers(type == 2 ? [("rptPrd", 0...255), ("aAng", -90...90)] : [])
    }

    /// The range of `trPara` by trigger type, in sensitivity, degrees Celsius, percent, seconds, lux or milliseconds.
    private static let parameterRanges: [Int: ClosedRange<Int>] = [
        1: 1...127, 8: -50...1000, 9: -50...1000, 10: 1...99, 11: 1...99, 12: 3...36_000, 13: 5...3600,
        14: 1...65_535, 15: 1...65_535, 20: 100...43_200_000,
    ]

    private typealias Number = (key: String, range: ClosedRange<Int>, initial: Int?)

    /// The numbers that belong to a type of sensor, each with its initial value, if it has one.
    private static func numbers(ofSensor type: Int) -> [Number] {
        let log: [Number] = [("log", 0...1, 0)]
        let timedLog: [Number] = log + [("lgItvl", 1...14_400, 600)]
        switch type {
        case 1: return [("msItvl", 1...65_535, nil)]
        case 2: return timedLog + [("msItvl", 1...200, 5), ("tsThd", 0...200, 5), ("hsThd", 0...200, 30)]
        case 0x10: return log + [("msItvl", 1...200, 1), ("bkOff", 5...3600, 30)]
        case 0x20: return timedLog + [("msItvl", 1...200, 5), ("luxThd", 0...65_535, 20)]
        case 0x40:
            return timedLog + [("msItvl", 3...200, 10), ("vocThd", 1...250, 20), ("noxThd", 1...250, 1)]
        case 0x41: return timedLog + [("msItvl", 10...3600, 300), ("co2Thd", 0...256, 20), ("asc", 0...1, 1)]
        case 0x42:
            return [
                ("msItvl", 1...3600, 9), ("pThd", 256...65_535, 1000), ("pDly", 1...100, 9),
                ("tag", 0...1, 0), ("fcl", 0...1, 0),
            ]
        case 0x44:
            return [
                ("mode", 0...2, 0), ("rssi", -100...10, -80), ("dur", 1...60_000, 100), ("chMsk", 0...6, 0),
                ("itvl", 0...7200, 60), ("mItvl", 0...7200, 0), ("aSlot", 0...255, 255), ("max", 1...100, 10),
            ]
        case 0x45: return [("id", 0...6, 0)]
        default: return log + [("msItvl", 1...65_535, nil)]
        }
    }

    static func sensor(_ type: Int) -> [KBeaconParameter] {
        let all = [("srType", 1...255), ("log", 0...1), ("lgItvl", 1...14_400)]
        let periods = ["dPrd0", "dPrd1", "dPrd2"].map { ($0, 0...Int(UInt32.max)) }
        let rest: [Int: [KBeaconParameter]] = [
            1: .init(["model": .fixed]), 0x45: .init(["uri": .text(0...256)]),
        ]
        return numbers(all + periods + numbers(ofSensor: type).map { ($0.key, $0.range) })
            + rest[type, default: []]
    }

    static func defaults(ofSensor type: Int) -> [String: KBeaconValue] {
        var values: [String: KBeaconValue] = ["srType": .number(type)]
        for number in numbers(ofSensor: type) { values[number.key] = number.initial.map(KBeaconValue.number) }
        if type == 1 { values["model"] = .number(3) }
        if type == 0x45 { values["uri"] = .text("") }
        return values
    }

    /// The bit of `bCap` for each type of sensor.
    static let sensorBits = [
        1: 2, 2: 3, 8: 4, 0x10: 5, 0x20: 6, 0x40: 7, 0x41: 24, 0x42: 25, 0x44: 26, 0x45: 27,
    ]
    /// The types of advert of which there can only be one: TLM, system.
    static let singleAdverts: Set<Int> = [3, 6]
    /// The bit of `bCap` that a mode of adverts requires: long range, extended.
    static let modeBits = [1: 17, 2: 18]
}
