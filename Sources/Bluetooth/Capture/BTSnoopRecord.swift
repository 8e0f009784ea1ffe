public import Bytes

/// One packet of a recording.
///
///     0  4  original length of the packet
///     4  4  length n of its part in the file
///     8  4  flags: bit 0 received, bit 1 command or event
///    12  4  packets lost so far
///    16  8  microseconds since the year 0
///    24  n  the packet: H4 type, HCI packet
public struct BTSnoopRecord: Equatable, Sendable {
    /// The start of 1970 in the file's microseconds.
    public static let unixEpoch: UInt64 = 0x00DC_DDB3_0F2F_8000

    /// The packet's original length, which is more than `packet` has if the recorder truncated it.
    public let originalLength: UInt32
    public let flags: UInt32
    public let losses: UInt32
    /// Microseconds since the year 0.
    public let timestamp: UInt64
    public let packet: [UInt8]
    /// Where the packet begins in the file.
    public let place: Int

    public var isReceived: Bool { flags & 1 != 0 }

    /// A whole packet at `microseconds` since 1970.
    init(_ packet: HCIPacket, _ direction: Direction, microseconds: UInt64) {
        self.packet = packet.bytes
        originalLength = UInt32(self.packet.count)
        flags = (direction == .received ? 1 : 0) | (packet.isEvent ? 2 : 0)
        losses = 0
        timestamp = Self.unixEpoch &+ microseconds
        place = 0
    }

    init(parsing reader: inout ByteReader) throws(ByteError) {
        originalLength = try reader.integer("original length", .big)
        let start = reader.offset
        let length: UInt32 = try reader.integer("included length", .big)
        guard length <= originalLength else {
            throw ByteError(
                offset: start, field: "included length",
                reason: .tooLong(limit: Int(originalLength), found: Int(length)))
        }
        flags = try reader.integer("flags", .big)
        losses = try reader.integer("cumulative drops", .big)
        timestamp = try reader.integer("timestamp", .big)
        place = reader.offset
        packet = Array(try reader.bytes("packet", Int(length)))
    }

    var bytes: [UInt8] {
        [originalLength, UInt32(packet.count), flags, losses].flatMap { $0.bytes(.big) }
            + timestamp.bytes(.big) + packet
    }
}

/// The direction of a packet, as seen from this machine.
public enum Direction: Equatable, Sendable {
    case sent, received
}

/// A recording in the format of Wireshark, btmon and Android's Bluetooth log: HCI packets with time and
/// direction (RFC 1761 describes the layout for Solaris' snoop; Wireshark's `wiretap/btsnoop.c` this variant).
///
///     0  8  "btsnoop" and a zero byte
///     8  4  version: 1, big-endian like everything but the packets
///    12  4  data link: 1002, HCI packets with their H4 type in front
///    16  …  records
public struct BTSnoopFile: Equatable, Sendable {
    static let magic = Array("btsnoop\0".utf8)
    static let version: UInt32 = 1
    static let dataLink: UInt32 = 1002

    public let records: [BTSnoopRecord]

    static var header: [UInt8] { magic + version.bytes(.big) + dataLink.bytes(.big) }

    /// Parses the recording in `bytes`. A file that ends inside a record is damaged: this program writes whole records.
    public init(parsing bytes: [UInt8]) throws(ByteError) {
        var reader = ByteReader(bytes)
        for expected in Self.magic { try reader.expect(expected, "file identification") }
        try reader.expect(Self.version, "version", .big)
        try reader.expect(Self.dataLink, "data link", .big)
        var records: [BTSnoopRecord] = []
        while reader.remaining > 0 { records.append(try BTSnoopRecord(parsing: &reader)) }
        self.records = records
    }

    public var bytes: [UInt8] { records.reduce(into: Self.header) { $0 += $1.bytes } }
}
