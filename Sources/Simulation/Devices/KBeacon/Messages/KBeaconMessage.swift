import Bytes
import FoundationEssentials

/// The text of a message: a JSON object (kbeacon.md, Messages).
enum KBeaconMessage {
    /// The members of a message; nil if it is not one.
    static func members(of text: [UInt8]) -> [String: KBeaconValue]? {
        // The decoder would also accept UTF-16.
        guard !text.contains(0), String(validating: text, as: UTF8.self) != nil,
            case .object(let members) = try? JSONDecoder().decode(KBeaconValue.self, from: Data(text))
        else { return nil }
        return members
    }

    /// Whether it contains anything that some beacons drop before parsing.
    static func hasSpacesOrEscapes(_ text: [UInt8]) -> Bool {
        // Without escapes, every other part between quotes is a string, which may contain spaces.
        let parts = text.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
        return text.contains(UInt8(ascii: "\\"))
            || stride(from: 0, to: parts.count, by: 2).contains {
                parts[$0].contains { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
            }
    }

    /// The text of an object with `members` in this order, without spaces.
    static func text(of members: [(key: String, value: KBeaconValue)]) -> [UInt8] {
        Array(object(members).utf8)
    }

    private static func object(_ members: [(key: String, value: KBeaconValue)]) -> String {
        "{" + members.map { "\(quoted($0.key)):\(json($0.value))" }.joined(separator: ",") + "}"
    }

    private static func json(_ value: KBeaconValue) -> String {
        switch value {
        case .null: "null"
        case .truth(let truth): "\(truth)"
        case .number(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .text(let text): quoted(text)
        case .list(let values): "[" + values.map(json).joined(separator: ",") + "]"
        case .object(let members): object(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        }
    }

    /// The beacon's own parameters need no escapes; those that a scenario adds may.
    private static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case _ where scalar.value < 0x20: "\\u" + HexText.digits(UInt16(scalar.value))
            default: "\(scalar)"
            }
        }
        return "\"\(scalars.joined())\""
    }
}
