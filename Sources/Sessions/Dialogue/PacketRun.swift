public import BluetoothTypes

/// A run of bytes to be streamed as packets of equal length, only the last of which may be shorter.
public struct PacketRun: Equatable, Sendable {
    /// Where packets go.
    public enum Target: Equatable, Sendable {
        /// To a characteristic, each as a write without response.
        case characteristic(Characteristic)
        /// To the credit-based channel that was opened last.
        case channel
    }

    /// The bytes.
    public let bytes: ArraySlice<UInt8>
    /// Where they go.
    public let target: Target
    /// How many bytes a packet carries.
    public let packetLength: Int
    /// Which of the bytes count as payload; nil for none of them, as with an init packet.
    public let payload: PayloadSpan?

    /// `bytes` for a characteristic, in packets of `packetLength`.
    public init(
        bytes: ArraySlice<UInt8>, target: Characteristic, packetLength: Int, payload: PayloadSpan?
    ) {
        self.init(bytes: bytes, target: .characteristic(target), packetLength: packetLength, payload: payload)
    }

    /// `bytes` for `target`, in packets of `packetLength`.
    public init(bytes: ArraySlice<UInt8>, target: Target, packetLength: Int, payload: PayloadSpan?) {
        self.bytes = bytes
        self.target = target
        self.packetLength = packetLength
        self.payload = payload
    }
}

/// Which bytes of a run count as payload, and where they stand in all of it. Frames of a block protocol have a
/// number and a checksum that do not.
public struct PayloadSpan: Equatable, Sendable {
    /// Where the first of them stands in the whole payload.
    public let position: Int
    /// How long the whole payload is, in bytes.
    public let total: Int
    /// How many bytes of the run come before the first of them.
    public let header: Int
    /// How many bytes of the run come after the last of them.
    public let trailer: Int

    /// All bytes between `header` and `trailer`, of which the first stands at `position`.
    public init(at position: Int, of total: Int, header: Int = 0, trailer: Int = 0) {
        self.position = position
        self.total = total
        self.header = header
        self.trailer = trailer
    }

    /// How many of the first `count` bytes of a run of `length` are payload.
    public func payload(in count: Int, of length: Int) -> Int {
        max(0, min(count, length - trailer) - header)
    }
}
