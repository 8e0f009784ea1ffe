import ByteCoding

extension WireScanner {
    /// The field with this number, or an error that points at the message `enclosing` it should stand in.
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
            // The tenth byte has room for one bit.
            guard index < 9 || byte <= 1 else { break }
            value |= UInt64(byte & 0x7F) << (7 * UInt64(index))
            if byte & 0x80 == 0 { return value }
        }
        throw InitPacketError(
            offset: start, field: field.description, reason: .bytes(.tooLong(limit: 10, found: 11)))
    }
}

extension ByteReader {
    /// Where the bytes that are left end, counted from the start of the whole packet.
    var end: Int { offset + remaining }

    /// The bytes that are left, without consuming them.
    var rest: [UInt8] {
        var copy = self
        return Array(copy.remainder())
    }
}
