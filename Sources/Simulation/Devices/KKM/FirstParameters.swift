import Bluetooth
import Bytes

/// The parameters of the first generation (kbeacon.md, Common parameters, Other parameters).
enum FirstParameters {
    // The bits of `stype`.
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
            (iBeacon, .init(["uuid": .uuid, "majorID": .number(0...65535), "minorID": .number(0...65535)])),
            (url, .init(["url": .text(3...100)])), (uid, .init(["nid": .bytes(10), "sid": .bytes(6)])),
            (
                sensor,
                .init([
                    "sensor": .number(0...3), "msItvl": .number(1...65535), "tsThd": .number(0...65535),
                    "hsThd": .number(0...65535),
                ])
            ),
        ]
    }

    private static func commonParameters(_ powers: ClosedRange<Int>) -> [KBeaconParameter] {
        .init([
            "modle": .fixed, "ver": .fixed, "hver": .fixed, "bCap": .fixed, "trCap": .fixed, "minPwr": .fixed,
            "maxPwr": .fixed, "devName": .text(1...18), "txPwr": .number(powers),
            "meaPwr": .number(-100 ... -10), "type": .number(1...31), "advPrd": .decimal(100...10_000),
            "tlmItvl": .number(2...255), "advFlag": .number(0...7), "pwd": .password(8...16),
        ])
    }

    /// The parameters of a trigger; those from `nSTvl` on belong to the trigger for nearby beacons.
    static let triggerParameters: [KBeaconParameter] = .init([
        "trType": .number(1...8), "trAct": .number(0...0x1F), "trPara": .number(0...255),
        "trAMode": .number(0...4), "trAType": .number(0...31), "trATm": .number(10...7200),
        "trAPrd": .decimal(100...10_000), "htMsk": .number(0...31), "tpAbv": .number(-50...1000),
        "tpBlw": .number(-50...1000), "htAbv": .number(0...100), "htBlw": .number(0...100),
        "nSTvl": .decimal(20...10_000), "nSWin": .decimal(20...10_000), "nAdPwr": .number(-40...8),
        "nAdTvl": .decimal(20...10_000), "nAlTvl": .number(1...199), "nAlWin": .number(1...199),
        "nAlFt": .number(10...30), "nAlDs": .number(0...255), "nSTm": .number(0...Int(UInt32.max)),
        "nbGid": .number(0...4095), "nbMode": .number(0...1),
    ])

    static func trigger(_ type: Int) -> [String: KBeaconValue] {
        let common = [
            "trType": type, "trAct": 0, "trPara": type == 2 ? 2 : 5, "trAMode": type == 4 ? 3 : 0,
            "trAType": 4, "trATm": 30, "trAPrd": 400, "htMsk": 0, "tpAbv": 60, "tpBlw": -10, "htAbv": 80,
            "htBlw": 20,
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
    enum Rule: Sendable {
        case fixed
        case number(ClosedRange<Int>)
        case decimal(ClosedRange<Double>)
        case text(ClosedRange<Int>)
        /// `0x` and this many bytes in hexadecimal.
        case bytes(Int)
        case uuid
        /// The password, of this length in bytes; it cannot be read.
        case password(ClosedRange<Int>)
    }

    let key: String
    let rule: Rule

    var isPassword: Bool { if case .password = rule { true } else { false } }

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

    static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\"" && $0 != "\\" }
    }
}

extension [KBeaconParameter] {
    init(_ rules: KeyValuePairs<String, KBeaconParameter.Rule>) {
        self = rules.map { KBeaconParameter(key: $0, rule: $1) }
    }
}
