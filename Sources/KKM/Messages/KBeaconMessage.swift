import Bytes

/// A message to a KBeacon: JSON without spaces and line ends, and with escapes only where needed, because some
/// beacons drop those (kbeacon.md, Acks).
struct KBeaconMessage: Equatable, Sendable {
    /// A value in a message.
    enum Value: Sendable {
        case number(Int)
        case decimal(Double)
        case text(String)
        /// JSON without spaces.
        case json(String)
        case list([[(String, Value)]])

        var text: String {
            switch self {
            case .number(let number): "\(number)"
            case .decimal(let number): "\(number)"
            case .text(let text): JSONTree.quoted(text)
            case .json(let text): text
            case .list(let entries): "[\(entries.map(Self.members).joined(separator: ","))]"
            }
        }

        static func members(_ members: [(String, Value)]) -> String {
            "{\(members.map { "\(JSONTree.quoted($0)):\($1.text)" }.joined(separator: ","))}"
        }
    }

    /// The encoded text.
    let text: String

    /// The message `name`, followed by `members`.
    init(_ name: String, _ members: [(String, Value)] = []) {
        text = Value.members([("msg", .text(name))] + members)
    }

    /// The bytes to send.
    var bytes: [UInt8] { Array(text.utf8) }
}
