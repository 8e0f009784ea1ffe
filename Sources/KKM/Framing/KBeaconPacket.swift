import Bytes

/// A packet of a KBeacon's session, in either direction (kbeacon.md, Framing).
///
///     0  1  kind << 4 | tag
///     1  2  the offset of its data in the message, in bytes; big-endian
///     3  …  data
struct KBeaconPacket: Equatable, Sendable {
    /// The kind of message. The packets of a command are acknowledged with its own kind, those of a report too.
    enum Kind: UInt8, Sendable {
        case binaryCommand = 0
        case command = 2
        case report = 3
        case binaryReport = 5
    }

    /// The position in the message.
    enum Tag: UInt8, Sendable {
        case start = 0
        case middle = 1
        case end = 2
        case single = 3
    }

    /// The number of bytes before the data.
    static let header = 3

    var kind: Kind
    var tag: Tag
    var offset: Int
    var data: ArraySlice<UInt8>

    /// The part of `message` that begins at `offset`, with at most `length` bytes of data.
    init(_ kind: Kind, of message: [UInt8], from offset: Int, length: Int) {
        let end = min(offset + length, message.count)
        tag =
            switch (offset == 0, end == message.count) {
            case (true, true): .single
            case (true, false): .start
            case (false, false): .middle
            case (false, true): .end
            }
        (self.kind, self.offset, data) = (kind, offset, message[offset..<end])
    }

    /// Parses a packet; nil if it is not one.
    init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let first: UInt8 = try? reader.integer("kind and tag"), let kind = Kind(rawValue: first >> 4),
            let tag = Tag(rawValue: first & 0x0F), let offset: UInt16 = try? reader.integer("offset", .big)
        else { return nil }
        (self.kind, self.tag, self.offset, data) = (kind, tag, Int(offset), reader.remainder())
    }

    /// The encoded packet.
    var bytes: [UInt8] {
        var writer = ByteWriter([kind.rawValue << 4 | tag.rawValue])
        writer.integer(UInt16(truncatingIfNeeded: offset), .big)
        writer.append(data)
        return writer.bytes
    }
}
