/// Kontakt.io's location frame (beacon-frames.md, Kontakt), service FE6A:
///
///     0  1  05
///     1  1  transmission power in dBm, signed
///     2  1  channel
///     3  1  number of the model
///     4  1  bit 0: moving
///     5  n  unique id, ASCII
public struct KontaktLocation: Equatable, Sendable {
    /// In dBm.
    public let txPower: Int8
    /// The channel that it was sent on.
    public let channel: UInt8
    /// The model's number.
    public let modelNumber: UInt8
    /// Whether it moves.
    public let isMoving: Bool
    /// As printed on the beacon.
    public let id: String

    /// Parses the frame; throws if it is short, begins differently, or has an unprintable id.
    public init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .kontaktLocation)
        try reader.mark("identifier", 0x05)
        txPower = try reader.signed("transmission power")
        channel = try reader.integer("channel")
        modelNumber = try reader.integer("model")
        isMoving = try reader.integer("flags", as: UInt8.self) & 1 != 0
        id = try reader.text("unique id", reader.remaining)
    }

    var facts: FrameFacts {
        FrameFacts(
            modelNumber: Int(modelNumber), id: id, txPower: Int(txPower), flags: ["moving": isMoving])
    }
}
