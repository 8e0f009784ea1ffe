import Bytes
import FoundationEssentials

/// A value in a JSON message (kbeacon.md, Messages).
enum KBeaconValue: Hashable, Sendable {
    case null
    case truth(Bool)
    case number(Int)
    case decimal(Double)
    /// A whole number that needs more than 64 bits.
    case long(Decimal)
    case text(String)
    case list([KBeaconValue])
    case object([String: KBeaconValue])

    var number: Int? { if case .number(let number) = self { number } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var objects: [[String: KBeaconValue]]? {
        guard case .list(let values) = self else { return nil }
        let objects = values.compactMap {
            if case .object(let members) = $0 { members } else { nil as [String: KBeaconValue]? }
        }
        return objects.count == values.count ? objects : nil
    }
}

extension KBeaconValue: Codable {
    /// The maximum depth: more than any message, or any file of stored settings, has.
    private static let deepest = 12

    init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count <= Self.deepest else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "nested too deeply"))
        }
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let truth = try? value.decode(Bool.self) {
            self = .truth(truth)
        } else if let number = try? value.decode(Int.self) {
            self = .number(number)
        } else if let number = try? value.decode(Decimal.self), Self.isLong(number) {
            self = .long(number)
        } else if let number = try? value.decode(Double.self) {
            self = .decimal(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let values = try? value.decode([KBeaconValue].self) {
            self = .list(values)
        } else {
            self = .object(try value.decode([String: KBeaconValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .truth(let truth): try container.encode(truth)
        case .number(let number): try container.encode(number)
        case .decimal(let number): try container.encode(number)
        case .long(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }

    private static func isLong(_ number: Decimal) -> Bool {
        number.exponent >= 0 && (number < Decimal(Int.min) || number > Decimal(Int.max))
    }
}

/// The text of a message: a JSON object (kbeacon.md, Messages).
enum KBeaconMessage {
    static func members(of text: [UInt8]) -> [String: KBeaconValue]? {
        // The decoder would also accept UTF-16.
        guard !text.contains(0), String(validating: text, as: UTF8.self) != nil,
            case .object(let members) = try? JSONDecoder().decode(KBeaconValue.self, from: Data(text))
        else { return nil }
        return members
    }

    /// Whether `text` contains spaces between strings, or escapes, which some beacons drop before parsing.
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
        "{" + members.map { "\(JSONValue.quoted($0.key)):\(json($0.value))" }.joined(separator: ",") + "}"
    }

    private static func json(_ value: KBeaconValue) -> String {
        switch value {
        case .null: "null"
        case .truth(let truth): "\(truth)"
        case .number(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .long(let number): "\(number)"
        case .text(let text): JSONValue.quoted(text)
        case .list(let values): "[" + values.map(json).joined(separator: ",") + "]"
        case .object(let members): object(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        }
    }
}
