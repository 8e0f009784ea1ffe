/// A message to a KBeacon, as it is written: JSON without spaces, line ends and escapes, because some beacons drop these
/// (kbeacon.md, Acks).
struct KBeaconMessage: Equatable, Sendable {
    /// A value in it.
    enum Value: Equatable, Sendable {
        case number(Int)
        case text(String)
    }

    /// Its text.
    let text: String

    /// The message called `name`, with `members` after that.
    init(_ name: String, _ members: [(String, Value)] = []) {
        let words = ([("msg", .text(name))] + members).map { key, value in
            switch value {
            case .number(let number): "\"\(key)\":\(number)"
            case .text(let text): "\"\(key)\":\"\(text)\""
            }
        }
        text = "{\(words.joined(separator: ","))}"
    }

    /// It as it is sent.
    var bytes: [UInt8] { Array(text.utf8) }
}
