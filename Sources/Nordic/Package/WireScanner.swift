import Bytes

/// Reads the fields of one protobuf message; errors have an offset and name the field.
///
/// Wire format: a varint tag `number << 3 | type`, then by type: 0 a varint, 1 eight bytes, 2 a varint length and
/// that many bytes, 5 four bytes. Other types are refused, as by the device's decoder.
struct WireScanner {
    struct Found {
        let number: Int
        let tagOffset: Int
        /// The content without tag and length.
        let content: ByteReader
        /// The numbers in the content; empty for bytes.
        let numbers: [UInt32]
    }

    let layer: WireLayer
    private(set) var found: [Found] = []
    private(set) var unknown: [UnknownField] = []

    init(_ layer: WireLayer, in reader: ByteReader) throws(InitPacketError) {
        self.layer = layer
        var reader = reader
        while reader.remaining > 0 { try scanField(&reader) }
    }

    /// The last field with this number: if a field occurs several times, the last one counts.
    func last(_ number: Int) -> Found? { found.last { $0.number == number } }

    /// The value of the last field with this number; nil if there is none.
    func value(_ number: Int) -> UInt32? { last(number)?.numbers.last }

    private mutating func scanField(_ reader: inout ByteReader) throws(InitPacketError) {
        let start = reader.offset
        let left = reader.remaining
        let tag = try Self.varint(layer.name, &reader)
        // Field number 0 does not exist; zeros after a message are padding.
        guard tag >> 3 != 0 else {
            throw InitPacketError(layer.name, at: start, .bytes(.trailing(count: left)))
        }
        guard let number = Int(exactly: tag >> 3), number < 1 << 29 else {
            throw InitPacketError(layer.name, at: start, .numberTooLarge(tag))
        }
        let wireType = Int(tag & 7)
        guard let field = layer.fields[number] else {
            let content = try Self.content(of: layer.name, type: wireType, from: start, &reader)
            let message = layer.name.description
            unknown.append(UnknownField(message: message, number: number, offset: start, bytes: content.rest))
            return
        }
        let accepts = field.kind.wireTypes
        guard accepts.contains(wireType) else {
            let expected = accepts[accepts.count - 1]
            throw InitPacketError(field.name, at: start, .wrongWireType(expected: expected, found: wireType))
        }
        guard field.kind != .singleBytes || last(number) == nil else {
            throw InitPacketError(field.name, at: start, .repeated)
        }
        let content = try Self.content(of: field.name, type: wireType, from: start, &reader)
        let numbers = accepts == [2] ? [] : try Self.numbers(field.name, content)
        found.append(Found(number: number, tagOffset: start, content: content, numbers: numbers))
    }

    private static func content(
        of field: StaticString, type: Int, from start: Int, _ reader: inout ByteReader
    ) throws(InitPacketError) -> ByteReader {
        switch type {
        case 0:
            var value = reader
            _ = try varint(field, &reader)
            return try nested(field, reader.offset - value.offset, &value)
        case 1: return try nested(field, 8, &reader)
        case 2: return try nested(field, Int(clamping: try varint(field, &reader)), &reader)
        case 5: return try nested(field, 4, &reader)
        default: throw InitPacketError(field, at: start, .wrongWireType(expected: 2, found: type))
        }
    }

    private static func nested(
        _ field: StaticString, _ count: Int, _ reader: inout ByteReader
    ) throws(InitPacketError) -> ByteReader {
        do { return try reader.nested(field, count) } catch { throw InitPacketError(error) }
    }

    private static func numbers(
        _ field: StaticString, _ content: ByteReader
    ) throws(InitPacketError) -> [UInt32] {
        var content = content
        var numbers: [UInt32] = []
        while content.remaining > 0 {
            let offset = content.offset
            let number = try varint(field, &content)
            guard let number = UInt32(exactly: number) else {
                throw InitPacketError(field, at: offset, .numberTooLarge(number))
            }
            numbers.append(number)
        }
        return numbers
    }
}

extension WireScanner {
    /// The field with this number; if it is missing, throws an error with the offset of the message `enclosing`.
    func required(_ number: Int, at enclosing: Found) throws(InitPacketError) -> Found {
        if let field = last(number) { return field }
        let name = layer.fields[number]?.name ?? layer.name
        throw InitPacketError(name, at: enclosing.content.offset, .missing)
    }

    func required(valueOf number: Int, at enclosing: Found) throws(InitPacketError) -> UInt32 {
        try required(number, at: enclosing).numbers.last ?? 0
    }

    /// The next protobuf varint: seven bits a byte, least significant first, bit 7 set while more follow.
    static func varint(_ field: StaticString, _ reader: inout ByteReader) throws(InitPacketError) -> UInt64 {
        let start = reader.offset
        var value: UInt64 = 0
        for index in 0..<10 {
            let byte: UInt8
            do { byte = try reader.integer(field) } catch { throw InitPacketError(error) }
            // Nine bytes hold 63 bits, so the tenth can hold only one.
            guard index < 9 || byte <= 1 else { break }
            value |= UInt64(byte & 0x7F) << (7 * UInt64(index))
            if byte & 0x80 == 0 { return value }
        }
        throw InitPacketError(field, at: start, .bytes(.tooLong(limit: 10, found: 11)))
    }
}

/// A field of a protobuf message to be written.
enum WireField {
    /// A field number and a value, which is written even if it is 0.
    case number(Int, UInt32)
    /// A field number, and bytes or a nested message, which are written even if empty.
    case bytes(Int, [UInt8])
    /// A field number and a packed list of values, which is left out if empty.
    case numbers(Int, [UInt32])

    var encoded: [UInt8] {
        switch self {
        case .number(let field, let value): Self.varint(UInt64(field) << 3) + Self.varint(UInt64(value))
        case .bytes(let field, let content):
            Self.varint(UInt64(field) << 3 | 2) + Self.varint(UInt64(content.count)) + content
        case .numbers(_, []): []
        case .numbers(let field, let values):
            Self.bytes(field, values.flatMap { Self.varint(UInt64($0)) }).encoded
        }
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = value
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}

extension [WireField] {
    var encoded: [UInt8] { flatMap(\.encoded) }
}

extension ByteReader {
    /// Offset of the end of the remaining bytes, from the start of the whole packet.
    var end: Int { offset + remaining }

    /// The remaining bytes, without consuming them.
    var rest: [UInt8] {
        var copy = self
        return Array(copy.remainder())
    }
}
