import Bytes

/// A CBOR value of a kind that SMP uses (RFC 8949, 3; mcuboot-smp.md, Frames).
indirect enum SMPValue: Hashable, Sendable {
    case unsigned(UInt64)
    /// −1 minus this number.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case list([SMPValue])
    case map(SMPMap)
    case truth(Bool)
    case null

    /// How the lengths of maps and lists are written; strings always have a definite length.
    enum Lengths: Hashable, Sendable {
        /// The form that Zephyr and Mynewt write.
        case indefinite
        case definite
    }

    static func number(_ number: Int) -> SMPValue {
        number < 0 ? .negative(UInt64(-1 - number)) : .unsigned(UInt64(number))
    }

    var number: Int? { if case .unsigned(let number) = self { Int(exactly: number) } else { nil } }
    var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var truth: Bool? { if case .truth(let truth) = self { truth } else { nil } }
    var list: [SMPValue]? { if case .list(let list) = self { list } else { nil } }
    var map: SMPMap? { if case .map(let map) = self { map } else { nil } }
}

/// A CBOR map with text keys, in the order of the message.
struct SMPMap: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    struct Field: Hashable, Sendable {
        let key: String
        let value: SMPValue
    }

    var fields: [Field]

    init(_ fields: [Field] = []) { self.fields = fields }
    init(dictionaryLiteral elements: (String, SMPValue)...) {
        fields = elements.map { Field(key: $0, value: $1) }
    }

    /// The first value with this key.
    subscript(key: String) -> SMPValue? { fields.first { $0.key == key }?.value }
    mutating func append(_ key: String, _ value: SMPValue) { fields.append(Field(key: key, value: value)) }
    func encoded(_ lengths: SMPValue.Lengths) -> [UInt8] { SMPValue.map(self).encoded(lengths) }
}

extension SMPValue {
    private static let stop: UInt8 = 0xFF

    func encoded(_ lengths: Lengths) -> [UInt8] {
        switch self {
        case .unsigned(let number): Self.head(0, number)
        case .negative(let number): Self.head(1, number)
        case .bytes(let bytes): Self.head(2, UInt64(bytes.count)) + bytes
        case .text(let text): Self.head(3, UInt64(text.utf8.count)) + text.utf8
        case .list(let list): Self.wrap(4, list.count, lengths, list.flatMap { $0.encoded(lengths) })
        case .map(let map):
            Self.wrap(
                5, map.fields.count, lengths,
                map.fields.flatMap { Self.text($0.key).encoded(lengths) + $0.value.encoded(lengths) })
        case .truth(let truth): [truth ? 0xF5 : 0xF4]
        case .null: [0xF6]
        }
    }

    private static func wrap(_ major: UInt8, _ count: Int, _ lengths: Lengths, _ content: [UInt8]) -> [UInt8]
    {
        lengths == .definite ? head(major, UInt64(count)) + content : [major << 5 | 31] + content + [stop]
    }

    /// The shortest form of `number` after the three bits of the type.
    private static func head(_ major: UInt8, _ number: UInt64) -> [UInt8] {
        let type = major << 5
        return switch number {
        case 0..<24: [type | UInt8(number)]
        case ...0xFF: [type | 24, UInt8(number)]
        case ...0xFFFF: [type | 25] + UInt16(number).bytes(.big)
        case ...0xFFFF_FFFF: [type | 26] + UInt32(number).bytes(.big)
        default: [type | 27] + number.bytes(.big)
        }
    }

    /// The first value in `bytes`; what follows is ignored, as in Zephyr. Nil if malformed or of another kind.
    init?(decoding bytes: some Sequence<UInt8>) {
        var reader = ByteReader(Array(bytes))
        guard let value = Self.value(&reader, depth: 0) else { return nil }
        self = value
    }

    /// Deeper values are refused, so that no request can exhaust the stack.
    private static let deepest = 8

    private static func value(_ reader: inout ByteReader, depth: Int) -> SMPValue? {
        guard depth < deepest, let first: UInt8 = try? reader.integer("type") else { return nil }
        if first == 0xF4 || first == 0xF5 { return .truth(first == 0xF5) }
        if first == 0xF6 { return .null }
        let isEndless = first & 31 == 31
        guard first >> 5 == 4 || first >> 5 == 5 || !isEndless, let number = argument(first, &reader) else {
            return nil
        }
        switch first >> 5 {
        case 0: return .unsigned(number)
        case 1: return .negative(number)
        case 2: return string(number, &reader).map(SMPValue.bytes)
        case 3: return string(number, &reader).map { .text(String(decoding: $0, as: UTF8.self)) }
        case 4:
            var list: [SMPValue] = []
            while isEndless || UInt64(list.count) < number {
                if isEndless, takeStop(&reader) { break }
                guard let value = value(&reader, depth: depth + 1) else { return nil }
                list.append(value)
            }
            return .list(list)
        case 5:
            var map = SMPMap()
            while isEndless || UInt64(map.fields.count) < number {
                if isEndless, takeStop(&reader) { break }
                guard let key = value(&reader, depth: depth + 1)?.text,
                    let value = value(&reader, depth: depth + 1)
                else { return nil }
                map.append(key, value)
            }
            return .map(map)
        default: return nil
        }
    }

    /// The argument after the type, a number or a length; 0 for an indefinite length.
    private static func argument(_ first: UInt8, _ reader: inout ByteReader) -> UInt64? {
        switch first & 31 {
        case let small where small < 24: UInt64(small)
        case 24: (try? reader.integer("number", as: UInt8.self, .big)).map(UInt64.init)
        case 25: (try? reader.integer("number", as: UInt16.self, .big)).map(UInt64.init)
        case 26: (try? reader.integer("number", as: UInt32.self, .big)).map(UInt64.init)
        case 27: try? reader.integer("number", as: UInt64.self, .big)
        case 31: 0
        default: nil
        }
    }

    private static func string(_ count: UInt64, _ reader: inout ByteReader) -> [UInt8]? {
        guard count <= reader.remaining else { return nil }
        return (try? reader.bytes("string", Int(count))).map(Array.init)
    }

    private static func takeStop(_ reader: inout ByteReader) -> Bool {
        var ahead = reader
        guard let byte: UInt8 = try? ahead.integer("stop"), byte == stop else { return false }
        reader = ahead
        return true
    }
}
