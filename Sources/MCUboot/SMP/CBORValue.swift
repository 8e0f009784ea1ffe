package import Bytes

/// A value in CBOR (RFC 8949), as far as SMP uses it. Lengths may be definite or indefinite: devices send both
/// (docs/protocols/mcuboot-smp.md, Frames).
package indirect enum CBORValue: Equatable, Sendable {
    case integer(Int)
    case bytes([UInt8])
    case text(String)
    case flag(Bool)
    case list([CBORValue])
    case map(CBORMap)
    /// A value that SMP does not use: null, a number with a fraction, a tag, or an integer that exceeds `Int`.
    case other
}

/// The members of a CBOR map, in order.
package struct CBORMap: Equatable, Sendable, ExpressibleByDictionaryLiteral {
    package private(set) var members: [Member] = []

    package struct Member: Equatable, Sendable {
        package let key: String
        package let value: CBORValue
    }

    package init(dictionaryLiteral elements: (String, CBORValue)...) {
        members = elements.map { Member(key: $0.0, value: $0.1) }
    }

    /// The value of the first member `key`; nil if there is none.
    package subscript(_ key: String) -> CBORValue? { members.first { $0.key == key }?.value }

    package func integer(_ key: String) -> Int? {
        if case .integer(let value) = self[key] { value } else { nil }
    }
    package func bytes(_ key: String) -> [UInt8]? {
        if case .bytes(let value) = self[key] { value } else { nil }
    }
    package func text(_ key: String) -> String? {
        if case .text(let value) = self[key] { value } else { nil }
    }
    package func list(_ key: String) -> [CBORValue]? {
        if case .list(let value) = self[key] { value } else { nil }
    }
    package func map(_ key: String) -> CBORMap? { if case .map(let value) = self[key] { value } else { nil } }
    /// The value of a flag; false if it is missing, because devices leave false flags out.
    package func flag(_ key: String) -> Bool { self[key] == .flag(true) }

    package mutating func append(_ key: String, _ value: CBORValue) {
        members.append(Member(key: key, value: value))
    }
}

package enum CBORError: Error, Equatable, Sendable {
    case bytes(ByteError)
    /// The kind of item is reserved, or not allowed at this place.
    case unexpected(offset: Int)
    /// Lists and maps are nested more than `CBORValue.mostLevels` deep.
    case tooDeep(offset: Int)
    case notText(offset: Int)
}

extension CBORValue {
    /// The deepest accepted nesting; answers of devices have three levels.
    static let mostLevels = 8

    /// Parses `bytes`, which have to be exactly one value.
    package init(parsing bytes: ArraySlice<UInt8>) throws(CBORError) {
        var reader = CBORReader(bytes: ByteReader(bytes, startingAt: 0))
        self = try reader.value(level: 0)
        do { try reader.bytes.end(of: "CBOR") } catch { throw .bytes(error) }
    }

    /// The shortest encoding, with definite lengths.
    package var encoded: [UInt8] {
        switch self {
        case .integer(let value):
            value >= 0 ? Self.head(.unsigned, UInt64(value)) : Self.head(.negative, UInt64(-1 - value))
        case .bytes(let bytes): Self.head(.bytes, UInt64(bytes.count)) + bytes
        case .text(let text): Self.head(.text, UInt64(text.utf8.count)) + text.utf8
        case .list(let values): Self.head(.list, UInt64(values.count)) + values.flatMap(\.encoded)
        case .map(let map):
            Self.head(.map, UInt64(map.members.count))
                + map.members.flatMap { CBORValue.text($0.key).encoded + $0.value.encoded }
        case .flag(let flag): [flag ? 0xF5 : 0xF4]
        // Null, whatever was parsed: requests and images never contain `other`, and answers are not encoded.
        case .other: [0xF6]
        }
    }

    private static func head(_ kind: CBORKind, _ number: UInt64) -> [UInt8] {
        let type = kind.rawValue << 5
        return switch number {
        case 0..<24: [type | UInt8(number)]
        case 24...0xFF: [type | 24, UInt8(number)]
        case 0x100...0xFFFF: [type | 25] + UInt16(number).bytes(.big)
        case 0x1_0000...0xFFFF_FFFF: [type | 26] + UInt32(number).bytes(.big)
        default: [type | 27] + number.bytes(.big)
        }
    }
}

/// The major types of CBOR items (RFC 8949, 3.1).
private enum CBORKind: UInt8 { case unsigned, negative, bytes, text, list, map, tag, simple }

private struct CBORReader {
    /// What follows the first byte of an item: a number, or the mark of an indefinite length.
    enum Argument {
        case number(UInt64)
        case indefinite
    }

    var bytes: ByteReader

    mutating func value(level: Int) throws(CBORError) -> CBORValue {
        guard let value = try item(level: level) else { throw .unexpected(offset: bytes.offset - 1) }
        return value
    }

    /// The next item; nil at the break that ends an indefinite list or map.
    private mutating func item(level: Int) throws(CBORError) -> CBORValue? {
        let offset = bytes.offset
        guard level <= CBORValue.mostLevels else { throw .tooDeep(offset: offset) }
        let first = try number(1)
        if first == 0xFF { return nil }
        guard let kind = CBORKind(rawValue: UInt8(first >> 5)) else { throw .unexpected(offset: offset) }
        let argument = try argument(first & 0x1F, at: offset)
        switch kind {
        case .unsigned:
            guard case .number(let number) = argument else { throw .unexpected(offset: offset) }
            return Int(exactly: number).map(CBORValue.integer) ?? .other
        case .negative:
            guard case .number(let number) = argument else { throw .unexpected(offset: offset) }
            return Int(exactly: number).map { .integer(-1 - $0) } ?? .other
        case .bytes: return .bytes(Array(try string(argument, kind, at: offset)))
        case .text:
            guard let text = String(validating: try string(argument, kind, at: offset), as: UTF8.self) else {
                throw .notText(offset: offset)
            }
            return .text(text)
        case .list: return .list(try items(argument, level: level + 1))
        case .map: return .map(try members(argument, level: level + 1))
        case .tag:
            guard case .number = argument else { throw .unexpected(offset: offset) }
            _ = try value(level: level + 1)
            return .other
        case .simple:
            guard case .number = argument else { throw .unexpected(offset: offset) }
            return first == 0xF4 ? .flag(false) : first == 0xF5 ? .flag(true) : .other
        }
    }

    private mutating func argument(_ bits: UInt64, at offset: Int) throws(CBORError) -> Argument {
        switch bits {
        case 0..<24: .number(bits)
        case 24: .number(try number(1))
        case 25: .number(try number(2))
        case 26: .number(try number(4))
        case 27: .number(try number(8))
        case 31: .indefinite
        default: throw .unexpected(offset: offset)
        }
    }

    private mutating func items(_ count: Argument, level: Int) throws(CBORError) -> [CBORValue] {
        var items: [CBORValue] = []
        switch count {
        case .number(let count):
            // Each item takes at least one byte, so the input's length limits the loop.
            for _ in 0..<count { items.append(try value(level: level)) }
        case .indefinite:
            while let next = try item(level: level) { items.append(next) }
        }
        return items
    }

    private mutating func members(_ count: Argument, level: Int) throws(CBORError) -> CBORMap {
        var map: CBORMap = [:]
        func append(_ key: CBORValue, _ value: CBORValue) {
            // SMP has only text keys; others are dropped.
            if case .text(let name) = key { map.append(name, value) }
        }
        switch count {
        case .number(let count):
            for _ in 0..<count { append(try value(level: level), try value(level: level)) }
        case .indefinite:
            while let key = try item(level: level) { append(key, try value(level: level)) }
        }
        return map
    }

    /// The bytes of a string, or of the parts of one with an indefinite length (RFC 8949, 3.2.3).
    private mutating func string(
        _ length: Argument, _ kind: CBORKind, at offset: Int
    ) throws(CBORError) -> [UInt8] {
        switch length {
        case .number(let length): return Array(try stringBytes(length))
        case .indefinite:
            var joined: [UInt8] = []
            while true {
                let offset = bytes.offset
                let first = try number(1)
                if first == 0xFF { return joined }
                guard first >> 5 == kind.rawValue,
                    case .number(let length) = try argument(first & 0x1F, at: offset)
                else { throw .unexpected(offset: offset) }
                joined += try stringBytes(length)
            }
        }
    }

    private mutating func stringBytes(_ length: UInt64) throws(CBORError) -> ArraySlice<UInt8> {
        do { return try bytes.bytes("CBOR string", Int(exactly: length) ?? .max) } catch {
            throw .bytes(error)
        }
    }

    private mutating func number(_ count: Int) throws(CBORError) -> UInt64 {
        do { return try bytes.number("CBOR item", count, .big) } catch { throw .bytes(error) }
    }
}

extension CBORError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .bytes(let error): "\(error)"
        case .unexpected(let offset): "unexpected CBOR item at offset \(offset)"
        case .tooDeep(let offset): "CBOR nested too deep at offset \(offset)"
        case .notText(let offset): "the CBOR text at offset \(offset) is not UTF-8"
        }
    }
}
