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
