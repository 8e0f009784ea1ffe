import Bytes
import UpdateModel

/// A packet of a KBeacon's session, in either direction (kbeacon.md, Framing).
///
///     0  1  kind << 4 | tag
///     1  2  the offset of its data in the message, in bytes; big-endian
///     3  …  data
struct KBeaconPacket: Equatable, Sendable {
    /// The kind of message. An ack has the kind of the message whose packet it acknowledges.
    enum Kind: UInt8, Sendable {
        case binaryCommand = 0
        case command = 2
        case report = 3
        case binaryReport = 5
    }

    enum Tag: UInt8, Sendable {
        case start = 0
        case middle = 1
        case end = 2
        case single = 3
    }

    /// The length of kind, tag and offset, in bytes.
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

    init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let first: UInt8 = try? reader.integer("kind and tag"), let kind = Kind(rawValue: first >> 4),
            let tag = Tag(rawValue: first & 0x0F), let offset: UInt16 = try? reader.integer("offset", .big)
        else { return nil }
        (self.kind, self.tag, self.offset, data) = (kind, tag, Int(offset), reader.remainder())
    }

    var bytes: [UInt8] {
        var writer = ByteWriter([kind.rawValue << 4 | tag.rawValue])
        writer.integer(UInt16(truncatingIfNeeded: offset), .big)
        writer.append(data)
        return writer.bytes
    }
}

/// The acknowledgement of a packet (kbeacon.md, Acks); all numbers are big-endian.
///
///     0  1  kind << 4 | 3
///     1  2  the offset of the next data of the message
///     3  2  window; from this program `window`, any value from beacons
///     5  2  cause
///     7  …  data; from beacons only
struct KBeaconAck: Equatable, Sendable {
    /// The window that KKM's apps send too. Its unit is unknown: only one packet is in flight at a time.
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
        guard (try? reader.integer("window", as: UInt16.self, .big)) != nil,
            let cause: UInt16 = try? reader.integer("cause", .big)
        else { return nil }
        (kind, offset, self.cause) = (packet.kind, packet.offset, KBeaconCause(rawValue: cause))
        data = reader.remainder()
    }

    var bytes: [UInt8] {
        var writer = ByteWriter([kind.rawValue << 4 | KBeaconPacket.Tag.single.rawValue])
        writer.integer(UInt16(truncatingIfNeeded: offset), .big)
        writer.integer(Self.window, .big)
        writer.integer(cause.rawValue, .big)
        return writer.bytes
    }
}

/// The meaning of an ack (kbeacon.md, Acks, Refusals).
struct KBeaconCause: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt16

    static let done = KBeaconCause(rawValue: 0)
    /// This program reports that a packet is not the next one, which begins at the ack's offset.
    static let outOfSequence = KBeaconCause(rawValue: 1)
    /// The packet at the ack's offset is requested.
    static let nextPacket = KBeaconCause(rawValue: 4)
    /// The command was received and is being carried out.
    static let executing = KBeaconCause(rawValue: 5)
    /// The command is complete, and all of its reports were sent.
    static let complete = KBeaconCause(rawValue: 6)
    /// A frame is complete and another one follows: the timeout of the command starts again. Second generation only.
    static let moreToFollow = KBeaconCause(rawValue: 7)

    /// The refusals of second-generation beacons.
    private static let words: [UInt16: String] = [
        0x0102: "authentication is not supported",
        0x0103: "a parameter is not valid",
        0x0104: "the feature is not supported",
        0x0105: "the message could not be parsed",
        0x0106: "a parameter is missing",
        0x0107: "it could not be carried out",
        0x0108: "there is no such slot",
        0x0109: "the slot is used by a trigger",
        0x010A: "there may be only one slot of this kind",
        0x010B: "there may be only one such trigger",
        0x010C: "the beacon is busy",
        0x0116: "the sensor cannot be enabled",
        0x0117: "the trigger is not supported",
        0x0118: "the sensor is not supported",
        0x0119: "the message is unknown",
    ]

    func failure(during step: String) -> SessionFailure {
        let code: FailureCode =
            switch rawValue {
            case 0x010C: .session.beaconBusy
            case 0x0104, 0x0117, 0x0118, 0x0119: .session.notSupported
            default: .session.refusedByDevice
            }
        let number = "cause 0x" + HexText.digits(rawValue, uppercase: true)
        let words = Self.words[rawValue].map { "\($0) (\(number))" } ?? number
        return SessionFailure(code, during: step, "the beacon refuses: \(words)")
    }
}
