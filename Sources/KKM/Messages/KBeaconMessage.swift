import Bytes

/// A message to a KBeacon: JSON without spaces and line ends. Texts are escaped only where needed, because some
/// beacons drop escaped characters (kbeacon.md, Acks).
struct KBeaconMessage: Equatable, Sendable {
    enum Value: Sendable {
        case number(Int)
        case text(String)
        /// A value that already is JSON without spaces.
        case json(String)
        case list([[(String, Value)]])

        var text: String {
            switch self {
            case .number(let number): "\(number)"
            case .text(let text): JSONValue.quoted(text)
            case .json(let text): text
            case .list(let entries): "[\(entries.map(Self.members).joined(separator: ","))]"
            }
        }

        static func members(_ members: [(String, Value)]) -> String {
            "{\(members.map { "\(JSONValue.quoted($0)):\($1.text)" }.joined(separator: ","))}"
        }
    }

    let text: String

    init(_ name: String, _ members: [(String, Value)] = []) {
        text = Value.members([("msg", .text(name))] + members)
    }

    var bytes: [UInt8] { Array(text.utf8) }
}

/// The generation of a KBeacon, which decides the form of its messages (kbeacon.md, Generations).
package enum KBeaconGeneration: Int, CaseIterable, Sendable {
    case first = 1
    case second = 2

    var commonParametersQuery: KBeaconMessage { parametersQuery(in: commonParameters) }

    /// The bit of the group of common parameters.
    var commonParameters: Int { self == .first ? 32 : 1 }

    /// The query for the parameters of all groups in `mask`, or of entries of them that `members` select.
    func parametersQuery(in mask: Int, _ members: [(String, KBeaconMessage.Value)] = []) -> KBeaconMessage {
        KBeaconMessage("getPara", [(self == .first ? "stype" : "type", .number(mask))] + members)
    }

    var other: KBeaconGeneration { self == .first ? .second : .first }
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
