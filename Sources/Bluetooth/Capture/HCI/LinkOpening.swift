import Bytes

/// What a controller reports about a new link: LE Connection Complete (Vol 4, Part E, 7.7.65.1) or its enhanced
/// form (7.7.65.10).
///
///     0  1  subevent: 0x01, or 0x0A and 0x29 with private addresses
///     1  1  status
///     2  2  handle
///     4  1  role: 0 central
///     5  1  the peer's address type: 0 or 2 public, 1 or 3 random
///     6  6  the peer's address, least significant byte first
///    12 12  both private addresses, in 0x0A and 0x29 only
///     …  2  connection interval in units of 1.25 ms
///     …  2  latency
///     …  2  supervision timeout in units of 10 ms
///     …  1  the central's clock accuracy
struct LinkOpening: Equatable, Sendable {
    var handle: UInt16
    var peer: DeviceAddress
    /// In units of 1.25 ms; 0 if unknown.
    var interval: UInt16
    /// In units of 10 ms; 0 if unknown.
    var supervisionTimeout: UInt16

    private static let plain: UInt8 = 0x01
    private static let enhanced: Set<UInt8> = [0x0A, 0x29]

    /// Nil if the event is another one, or if the link was not established.
    init?(parsing reader: inout ByteReader) throws(ByteError) {
        let subevent: UInt8 = try reader.integer("subevent")
        guard subevent == Self.plain || Self.enhanced.contains(subevent) else { return nil }
        let status: UInt8 = try reader.integer("status")
        handle = try reader.integer("handle") & 0x0FFF
        _ = try reader.integer("role", as: UInt8.self)
        let kind: UInt8 = try reader.integer("peer address type")
        let address = try reader.bytes("peer address", 6)
        if Self.enhanced.contains(subevent) { _ = try reader.bytes("private addresses", 12) }
        interval = try reader.integer("connection interval")
        _ = try reader.integer("latency", as: UInt16.self)
        supervisionTimeout = try reader.integer("supervision timeout")
        _ = try reader.integer("clock accuracy", as: UInt8.self)
        guard status == 0, let peer = DeviceAddress(address.reversed(), .init(eventType: kind)) else {
            return nil
        }
        self.peer = peer
    }

    init(handle: UInt16, peer: DeviceAddress, interval: Duration?, supervisionTimeout: Duration?) {
        (self.handle, self.peer) = (handle, peer)
        self.interval = Self.units(of: .microseconds(1250), in: interval)
        self.supervisionTimeout = Self.units(of: .milliseconds(10), in: supervisionTimeout)
    }

    private static func units(of unit: Duration, in length: Duration?) -> UInt16 {
        guard let length else { return 0 }
        return UInt16(min(max((length / unit).rounded(), 0), 65535))
    }

    var bytes: [UInt8] {
        let address = [peer.kind == .public ? 0 : 1] + peer.bytes.reversed()
        return [Self.plain, 0] + handle.bytes() + [0] + address + interval.bytes() + [0, 0]
            + supervisionTimeout.bytes() + [0]
    }
}
