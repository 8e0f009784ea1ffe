import Bytes

/// A KBeacon's identity, read in a session (kbeacon.md, Common parameters).
package struct KBeaconIdentity: Equatable, Sendable {
    /// The first generation misspells the key of the model as `modle`.
    package let generation: KBeaconGeneration
    /// The model, for example `K11_NRF52XX`.
    package let model: String
    /// The firmware version, without the leading `V`.
    package let version: String?
    /// The hardware version, without the leading `V`.
    package let hardware: String?
    package let name: String?
    /// In percent, at most 100 although some beacons report more; nil if not reported.
    package let battery: UInt8?
    package let serialNumber: String?
    package let capabilities: KBeaconCapabilities?
    /// A bit for each supported trigger (`trCap`).
    let triggers: Int
    /// The range of the transmit power in dBm; nil if not reported.
    package let power: ClosedRange<Int>?

    /// Parses the answer to the query for the common parameters; nil if it has no model.
    package init?(answer: some Collection<UInt8>) {
        guard let members = JSONValue.members(inAnswer: answer) else { return nil }
        if let model = members["model"]?.text {
            (generation, self.model) = (.second, model)
        } else if let model = members["modle"]?.text {
            (generation, self.model) = (.first, model)
        } else {
            return nil
        }
        version = members["ver"]?.text.map(Self.withoutLetter)
        hardware = members["hver"]?.text.map(Self.withoutLetter)
        name = (members["name"] ?? members["devName"])?.text
        battery = members["btPt"]?.integer.flatMap { $0 < 0 ? nil : UInt8(min($0, 100)) }
        // The maker's applications accept a text or a number.
        serialNumber = members["id"].flatMap { $0.text ?? $0.integer.map { "\($0)" } }
        triggers = members["trCap"]?.integer ?? 0
        if let least = members["minPwr"]?.integer, let most = members["maxPwr"]?.integer, least <= most {
            power = least...most
        } else {
            power = nil
        }
        capabilities = members["bCap"]?.integer.map { [generation] in KBeaconCapabilities($0, generation) }
    }

    private static func withoutLetter(_ text: String) -> String {
        text.first == "V" || text.first == "v" ? String(text.dropFirst()) : text
    }

    /// Why the beacon cannot be updated over the air; nil if it can (kbeacon.md, Update).
    package var updateRefusal: String? {
        switch generation {
        case .first where !model.contains("NRF52XX"):
            "its model is \(model), but only models with NRF52XX in their name support updates"
        case .first where version == nil || hardware == nil:
            "it does not report its \(version == nil ? "firmware" : "hardware")"
        case .second where capabilities?.takesUpdates != true:
            capabilities == nil
                ? "it does not report its capabilities" : "it reports that it cannot be updated over the air"
        default: nil
        }
    }
}

extension JSONValue {
    /// The members of the object in a beacon's answer; nil if it is not an object. Some beacons use unneeded
    /// and invalid escapes.
    static func members(inAnswer answer: some Collection<UInt8>) -> [String: JSONValue]? {
        members(in: answer) ?? members(in: answer.filter { $0 != UInt8(ascii: "\\") })
    }

    /// The members of an object in `text`; nil if it is not an object.
    static func members(in text: some Sequence<UInt8>) -> [String: JSONValue]? {
        guard case .object(let members)? = try? JSONValue(json: Array(text)) else { return nil }
        return members
    }
}

/// A KBeacon's capabilities: the set of bits `bCap` (kbeacon.md, Capabilities).
package struct KBeaconCapabilities: Equatable, Sendable {
    package let bits: UInt32
    private let generation: KBeaconGeneration

    /// The set of `bits`, in the numbering of `generation`; bits above 31 are dropped.
    init(_ bits: Int, _ generation: KBeaconGeneration) {
        (self.bits, self.generation) = (UInt32(truncatingIfNeeded: bits), generation)
    }

    package var beeps: Bool { has(1) }
    /// Whether the beacon reports that it supports updates over the air, which only the second generation does.
    package var takesUpdates: Bool { generation == .second && has(19) }

    private static let common = [0: "button", 1: "beeper", 2: "acceleration", 3: "temperature and humidity"]
    private static let first = [4: "enhanced proximity", 5: "distance measurement"]
    private static let second = [
        4: "cut-off", 5: "motion (PIR)", 6: "light", 7: "VOC", 17: "long range", 18: "extended advertising",
        19: "updates over the air", 20: "records", 21: "channel mask", 24: "CO2", 25: "location",
        26: "scanning", 27: "NFC",
    ]

    package var names: [String] {
        let known = Self.common.merging(generation == .first ? Self.first : Self.second) { $1 }
        return known.sorted { $0.key < $1.key }.filter { has($0.key) }.map(\.value)
    }

    private static let firstAdverts = [
        "kkm-sensor", "eddystone-uid", "ibeacon", "eddystone-tlm", "eddystone-url",
    ]
    private static let secondAdverts = [
        "kkm-sensor", "eddystone-uid", "eddystone-tlm", "eddystone-url", "ibeacon", "kkm-system", "kkm-aoa",
        "kkm-ebeacon",
    ]

    /// The kinds of frames that it can send, with the names of received frames, in the order of the bits.
    package var adverts: [String] {
        let kinds = generation == .first ? Self.firstAdverts : Self.secondAdverts
        return kinds.indices.filter { has(8 + $0) }.map { kinds[$0] }
    }

    private func has(_ bit: Int) -> Bool { bits >> bit & 1 == 1 }
}
