/// The parameters of the second generation (kbeacon.md, Common parameters, Other parameters).
enum SecondParameters {
    /// What a mask of `type` means.
    static let common = 1
    static let adverts = 2
    static let triggers = 4
    static let sensors = 8

    /// Those of the beacon, in the order in which they are told.
    static let commonParameters =
        [
            "model", "ver", "hver", "btPt", "id", "bCap", "trCap", "minPwr", "maxPwr", "maxPrd", "maxSlot",
            "maxTg",
        ].map { KBeaconParameter($0, .fixed) }
        + [
            KBeaconParameter("name", .text(1...18)), KBeaconParameter("meaPwr", .number(-80...0)),
            KBeaconParameter("atPwr", .number(0...1)), KBeaconParameter("nBlk", .number(0...65535)),
            KBeaconParameter("lBlk", .number(0...65535)), KBeaconParameter("pwd", .password(8...16)),
        ]

    /// The longest period of an advert, in ms.
    static let longestPeriod = 40_000

    /// Those of an advert, whatever it is.
    static func advert(_ powers: ClosedRange<Int>, _ slots: Int) -> [KBeaconParameter] {
        [
            KBeaconParameter("slot", .number(0...max(0, slots - 1))),
            KBeaconParameter("type", .number(0...8)),
            KBeaconParameter("txPwr", .number(powers)),
            KBeaconParameter("advPrd", .decimal(100...Double(longestPeriod))),
            KBeaconParameter("conn", .number(0...1)), KBeaconParameter("mode", .number(0...2)),
            KBeaconParameter("trAdv", .number(0...1)), KBeaconParameter("chMsk", .number(0...6)),
            KBeaconParameter("uuid", .uuid), KBeaconParameter("majorID", .number(0...65535)),
            KBeaconParameter("minorID", .number(0...65535)), KBeaconParameter("nid", .bytes(10)),
            KBeaconParameter("sid", .bytes(6)), KBeaconParameter("url", .text(3...100)),
        ]
    }

    /// Those of a trigger.
    static func trigger(_ powers: ClosedRange<Int>, _ triggers: Int, _ slots: Int) -> [KBeaconParameter] {
        [
            KBeaconParameter("trIdx", .number(0...max(0, triggers - 1))),
            KBeaconParameter("trType", .number(1...64)), KBeaconParameter("trAct", .number(0...0x3F)),
            KBeaconParameter("trPara", .number(0...65535)), KBeaconParameter("trAChg", .number(0...1)),
            KBeaconParameter("slot", .number(0...max(0, slots - 1))),
            KBeaconParameter("trATm", .number(1...7200)),
            KBeaconParameter("trAPrd", .decimal(100...Double(longestPeriod))),
            KBeaconParameter("trAPwr", .number(powers)),
        ]
    }

    /// Those of a sensor.
    static let sensor =
        [KBeaconParameter("srType", .number(1...255)), KBeaconParameter("log", .number(0...1))]
        + ["msItvl", "lgItvl", "tsThd", "hsThd", "dPrd0", "dPrd1", "dPrd2"].map {
            KBeaconParameter($0, .number(0...65535))
        }

    /// What a sensor is that nobody has set.
    static func sensor(_ type: Int) -> [String: KBeaconValue] {
        ["srType": type, "log": 0, "msItvl": 5, "lgItvl": 600, "tsThd": 5, "hsThd": 30]
            .mapValues(KBeaconValue.number)
    }

    /// Which bit of `bCap` a sensor has.
    static let sensorBits = [1: 2, 2: 3, 8: 4, 0x10: 5, 0x20: 6, 0x40: 7, 0x41: 24]
    /// Adverts of these kinds there are once: TLM, system.
    static let singleAdverts: Set<Int> = [3, 6]
    /// Which bit of `bCap` a mode of adverts needs: long range, extended.
    static let modeBits = [1: 17, 2: 18]
}
