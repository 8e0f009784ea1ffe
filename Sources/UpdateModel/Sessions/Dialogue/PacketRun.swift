public import Bluetooth

/// Bytes to stream as packets of equal length; only the last may be shorter.
public struct PacketRun: Equatable, Sendable {
    public enum Target: Equatable, Sendable {
        /// To a characteristic, each packet as a write without response.
        case characteristic(Characteristic)
        /// To the credit-based channel that was opened last.
        case channel
    }

    public let bytes: ArraySlice<UInt8>
    public let target: Target
    public let packetLength: Int
    /// The part of the bytes that counts as payload; nil for none, as with an init packet.
    public let payload: PayloadSpan?

    public init(bytes: ArraySlice<UInt8>, target: Characteristic, packetLength: Int, payload: PayloadSpan?) {
        self.init(bytes: bytes, target: .characteristic(target), packetLength: packetLength, payload: payload)
    }

    public init(bytes: ArraySlice<UInt8>, target: Target, packetLength: Int, payload: PayloadSpan?) {
        (self.bytes, self.target) = (bytes, target)
        (self.packetLength, self.payload) = (packetLength, payload)
    }
}

/// The bytes of a run that count as payload, and their position in the whole payload. The number and checksum in
/// frames of a block protocol do not count.
public struct PayloadSpan: Equatable, Sendable {
    /// Position of the first of these bytes in the whole payload.
    public let position: Int
    /// Position, in the whole payload, of the first byte of their image: an update may send several images.
    public let image: Int
    /// Whether the device answers with the position where it continues, which is later if it has more of the image.
    public let isQuestion: Bool
    /// Length of the whole payload in bytes.
    public let total: Int
    /// Number of bytes of the run before the payload.
    public let header: Int
    /// Number of bytes of the run after the payload.
    public let trailer: Int

    public init(
        at position: Int, of total: Int, image: Int = 0, isQuestion: Bool = false, header: Int = 0,
        trailer: Int = 0
    ) {
        (self.position, self.total) = (position, total)
        (self.image, self.isQuestion) = (image, isQuestion)
        (self.header, self.trailer) = (header, trailer)
    }

    /// The number of payload bytes among the first `count` bytes of a run of `length`.
    public func payload(in count: Int, of length: Int) -> Int {
        max(0, min(count, length - trailer) - header)
    }
}
