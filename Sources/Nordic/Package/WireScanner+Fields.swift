import Bytes

extension WireScanner {
    /// The field with this number, or an error that points at the message `enclosing` that lacks it.
    func required(_ number: Int, at enclosing: Found) throws(InitPacketError) -> Found {
        if let field = first(number) { return field }
        throw InitPacketError(
            offset: enclosing.content.offset, field: (layer.fields[number]?.name ?? layer.name).description,
            reason: .missing)
    }

    /// The next protobuf varint: seven bits a byte, least significant first, bit 7 set while more follow.
    static func varint(_ field: StaticString, _ reader: inout ByteReader) throws(InitPacketError) -> UInt64 {
        let start = reader.offset
        var value: UInt64 = 0
        for index in 0..<10 {
            let byte: UInt8
            do { byte = try reader.integer(field) } catch { throw InitPacketError(error) }
            // The tenth byte can hold one bit only.
            guard index < 9 || byte <= 1 else { break }
            value |= UInt64(byte & 0x7F) << (7 * UInt64(index))
            if byte & 0x80 == 0 { return value }
        }
        throw InitPacketError(
            offset: start, field: field.description, reason: .bytes(.tooLong(limit: 10, found: 11)))
    }
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
