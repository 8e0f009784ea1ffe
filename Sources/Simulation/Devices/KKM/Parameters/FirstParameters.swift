import Bluetooth
import Bytes

/// The parameters of the first generation (kbeacon.md, Common parameters, Other parameters).
enum FirstParameters {
    /// The bits of the mask `stype`.
    static let sensor = 1
    static let uid = 2
    static let iBeacon = 4
    static let url = 16
    static let common = 32
    static let trigger = 64

    /// The parameters of each mask bit, in the order of responses.
    static func groups(_ powers: ClosedRange<Int>) -> [(mask: Int, parameters: [KBeaconParameter])] {
        [
            (common, commonParameters(powers)),
            (
                iBeacon,
                [
                    KBeaconParameter("uuid", .uuid), KBeaconParameter("majorID", .number(0...65535)),
                    KBeaconParameter("minorID", .number(0...65535)),
                ]
            ),
            (url, [KBeaconParameter("url", .text(3...100))]),
            (uid, [KBeaconParameter("nid", .bytes(10)), KBeaconParameter("sid", .bytes(6))]),
            (
                sensor,
                [
                    KBeaconParameter("sensor", .number(0...3)),
                    KBeaconParameter("msItvl", .number(1...65535)),
                    KBeaconParameter("tsThd", .number(0...65535)),
                    KBeaconParameter("hsThd", .number(0...65535)),
                ]
            ),
        ]
    }

    private static func commonParameters(_ powers: ClosedRange<Int>) -> [KBeaconParameter] {
        ["modle", "ver", "hver", "bCap", "trCap", "minPwr", "maxPwr"].map { KBeaconParameter($0, .fixed) }
            + [
                KBeaconParameter("devName", .text(1...18)), KBeaconParameter("txPwr", .number(powers)),
                KBeaconParameter("meaPwr", .number(-100 ... -10)), KBeaconParameter("type", .number(1...31)),
                KBeaconParameter("advPrd", .decimal(100...10_000)),
                KBeaconParameter("tlmItvl", .number(2...255)), KBeaconParameter("advFlag", .number(0...7)),
                KBeaconParameter("pwd", .password(8...16)),
            ]
    }

    /// The parameters of a trigger; the last ones belong to the trigger for nearby beacons.
    static let triggerParameters = [
        KBeaconParameter("trType", .number(1...8)), KBeaconParameter("trAct", .number(0...0x1F)),
        KBeaconParameter("trPara", .number(0...255)), KBeaconParameter("trAMode", .number(0...4)),
        KBeaconParameter("trAType", .number(0...31)), KBeaconParameter("trATm", .number(10...7200)),
        KBeaconParameter("trAPrd", .decimal(100...10_000)), KBeaconParameter("htMsk", .number(0...31)),
        KBeaconParameter("tpAbv", .number(-50...1000)), KBeaconParameter("tpBlw", .number(-50...1000)),
        KBeaconParameter("htAbv", .number(0...100)), KBeaconParameter("htBlw", .number(0...100)),
        KBeaconParameter("nSTvl", .decimal(20...10_000)), KBeaconParameter("nSWin", .decimal(20...10_000)),
        KBeaconParameter("nAdPwr", .number(-40...8)), KBeaconParameter("nAdTvl", .decimal(20...10_000)),
        KBeaconParameter("nAlTvl", .number(1...199)), KBeaconParameter("nAlWin", .number(1...199)),
        KBeaconParameter("nAlFt", .number(10...30)), KBeaconParameter("nAlDs", .number(0...255)),
        KBeaconParameter("nSTm", .number(0...Int(UInt32.max))),
        KBeaconParameter("nbGid", .number(0...4095)), KBeaconParameter("nbMode", .number(0...1)),
    ]

    /// The default values of a trigger.
    static func trigger(_ type: Int) -> [String: KBeaconValue] {
        let common = [
            "trType": type, "trAct": 0, "trPara": type == 2 ? 2 : 5, "trAMode": type == 4 ? 3 : 0,
            "trAType": 4,
            "trATm": 30, "trAPrd": 400, "htMsk": 0, "tpAbv": 60, "tpBlw": -10, "htAbv": 80, "htBlw": 20,
        ]
        let nearby = [
            "nSTvl": 1000, "nSWin": 100, "nAdPwr": -4, "nAdTvl": 500, "nAlTvl": 10, "nAlWin": 20, "nAlFt": 20,
            "nAlDs": 20, "nSTm": 0, "nbGid": 0, "nbMode": 0,
        ]
        return common.merging(type == 4 ? nearby : [:]) { $1 }.mapValues(KBeaconValue.number)
    }
}

/// A parameter and its valid values (kbeacon.md, Common parameters, Other parameters).
struct KBeaconParameter: Sendable {
    /// The valid values of a parameter.
    enum Rule: Sendable {
        /// Read-only.
        case fixed
        /// An integer.
        case number(ClosedRange<Int>)
        /// A number, with or without a fraction.
        case decimal(ClosedRange<Double>)
        /// A text of this length in characters.
        case text(ClosedRange<Int>)
        /// `0x` and this many bytes in hexadecimal.
        case bytes(Int)
        /// A UUID of 128 bits.
        case uuid
        /// The password, of this length in bytes; it cannot be read.
        case password(ClosedRange<Int>)
    }

    let key: String
    let rule: Rule

    init(_ key: String, _ rule: Rule) {
        self.key = key
        self.rule = rule
    }

    var isPassword: Bool { if case .password = rule { true } else { false } }

    /// Whether it may be set to `value`.
    func takes(_ value: KBeaconValue) -> Bool {
        switch (rule, value) {
        case (.number(let range), .number(let number)): range.contains(number)
        case (.decimal(let range), .number(let number)): range.contains(Double(number))
        case (.decimal(let range), .decimal(let number)): range.contains(number)
        case (.text(let range), .text(let text)): range.contains(text.count) && Self.isPlain(text)
        case (.password(let range), .text(let text)): range.contains(text.utf8.count)
        case (.bytes(let count), .text(let text)):
            text.hasPrefix("0x") && text.count == 2 + 2 * count
                && (try? HexText.decode(String(text.dropFirst(2))))?.count == count
        case (.uuid, .text(let text)): text.count == 36 && BluetoothUUID(text) != nil
        default: false
        }
    }

    /// Whether `text` needs no escapes in JSON.
    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\"" && $0 != "\\" }
    }
}
