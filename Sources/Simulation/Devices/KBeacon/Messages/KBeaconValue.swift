/// A value in a JSON message (kbeacon.md, Messages).
enum KBeaconValue: Hashable, Sendable {
    case null
    case truth(Bool)
    case number(Int)
    case decimal(Double)
    case text(String)
    case list([KBeaconValue])
    /// Members by their keys.
    case object([String: KBeaconValue])

    /// The value as an integer.
    var number: Int? { if case .number(let number) = self { number } else { nil } }
    /// The value as a string.
    var text: String? { if case .text(let text) = self { text } else { nil } }
    /// The members of each object in a list; nil if it is no such list.
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

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Decodes a JSON value of a type that messages use.
    init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count <= Self.deepest else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "nested too deeply"))
        }
        if let members = try? decoder.container(keyedBy: Key.self) {
            let pairs = try members.allKeys.map {
                ($0.stringValue, try members.decode(KBeaconValue.self, forKey: $0))
            }
            self = .object(Dictionary(pairs) { first, _ in first })
        } else if var values = try? decoder.unkeyedContainer() {
            var list: [KBeaconValue] = []
            while !values.isAtEnd { list.append(try values.decode(KBeaconValue.self)) }
            self = .list(list)
        } else {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let truth = try? value.decode(Bool.self) {
                self = .truth(truth)
            } else if let number = try? value.decode(Int.self) {
                self = .number(number)
            } else if let number = try? value.decode(Double.self) {
                self = .decimal(number)
            } else {
                self = .text(try value.decode(String.self))
            }
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .truth(let truth): try container.encode(truth)
        case .number(let number): try container.encode(number)
        case .decimal(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}
