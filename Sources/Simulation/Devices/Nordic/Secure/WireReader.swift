/// Reads protobuf fields as a small device does: without a schema, and without allocating by a sender's lengths.
struct WireReader {
    /// The content of a field by wire type; fields of fixed width are always skipped.
    enum Value {
        case varint(UInt64)
        case bytes(ArraySlice<UInt8>)
        case fixed
    }

    /// The packet is malformed or exceeds a limit of the device: result 05.
    struct Undecodable: Error {}

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func field() throws(Undecodable) -> (number: UInt64, value: Value)? {
        guard !rest.isEmpty else { return nil }
        let tag = try varint()
        guard tag >> 3 > 0 else { throw Undecodable() }
        switch tag & 7 {
        case 0: return (tag >> 3, .varint(try varint()))
        case 1: return (tag >> 3, try skip(8))
        case 2: return (tag >> 3, .bytes(try take(Int(clamping: try varint()))))
        case 5: return (tag >> 3, try skip(4))
        default: throw Undecodable()
        }
    }

    /// Base-128, least significant group first, at most ten bytes.
    mutating func varint() throws(Undecodable) -> UInt64 {
        var value: UInt64 = 0
        for group in 0..<10 {
            guard let byte = rest.popFirst() else { throw Undecodable() }
            value |= UInt64(byte & 0x7F) << UInt64(7 * group)
            if byte & 0x80 == 0 { return value }
        }
        throw Undecodable()
    }

    var isAtEnd: Bool { rest.isEmpty }

    private mutating func skip(_ count: Int) throws(Undecodable) -> Value {
        _ = try take(count)
        return .fixed
    }

    private mutating func take(_ count: Int) throws(Undecodable) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw Undecodable() }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}

extension WireReader.Value {
    var number: UInt64 {
        get throws(WireReader.Undecodable) {
            guard case .varint(let value) = self else { throw WireReader.Undecodable() }
            return value
        }
    }

    var word: UInt32 {
        get throws(WireReader.Undecodable) {
            guard let value = UInt32(exactly: try number) else { throw WireReader.Undecodable() }
            return value
        }
    }

    var message: ArraySlice<UInt8> {
        get throws(WireReader.Undecodable) {
            guard case .bytes(let value) = self else { throw WireReader.Undecodable() }
            return value
        }
    }

    func bytes(atMost limit: Int) throws(WireReader.Undecodable) -> [UInt8] {
        let value = try message
        guard value.count <= limit else { throw WireReader.Undecodable() }
        return Array(value)
    }
}
