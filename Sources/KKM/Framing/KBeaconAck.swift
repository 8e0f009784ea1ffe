import Bytes

/// The acknowledgement of a packet (kbeacon.md, Acks).
///
///     0  1  kind << 4 | 3
///     1  2  the offset of the next data of the message
///     3  2  window; 1000 from us, any value from beacons
///     5  2  cause
///     7  …  data; from beacons only
///
/// All big-endian.
struct KBeaconAck: Equatable, Sendable {
    static let window: UInt16 = 1000

    var kind: KBeaconPacket.Kind
    var offset: Int
    var cause: KBeaconCause
    var data: ArraySlice<UInt8> = []

    /// The ack of a report's packets up to `offset`.
    init(_ kind: KBeaconPacket.Kind, upTo offset: Int, _ cause: KBeaconCause = .done) {
        (self.kind, self.offset, self.cause) = (kind, offset, cause)
    }

    /// Parses the ack in a beacon's packet; nil if it is too short.
    init?(_ packet: KBeaconPacket) {
        var reader = ByteReader(packet.data, startingAt: KBeaconPacket.header)
        guard (try? reader.integer("window", as: UInt16.self)) != nil,
            let cause: UInt16 = try? reader.integer("cause", .big)
        else { return nil }
        (kind, offset, self.cause) = (packet.kind, packet.offset, KBeaconCause(rawValue: cause))
        data = reader.remainder()
    }

    /// The encoded ack.
    var bytes: [UInt8] {
        var writer = ByteWriter([kind.rawValue << 4 | KBeaconPacket.Tag.single.rawValue])
        writer.integer(UInt16(truncatingIfNeeded: offset), .big)
        writer.integer(Self.window, .big)
        writer.integer(cause.rawValue, .big)
        return writer.bytes
    }
}
