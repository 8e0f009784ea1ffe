/// The recorded attribute packets of one link.
public struct RecordedConversation: Equatable, Sendable {
    /// One attribute packet.
    public struct Packet: Equatable, Sendable {
        /// Its direction.
        public let direction: Direction
        /// Microseconds since the year 0.
        public let timestamp: UInt64
        /// Opcode and parameters.
        public let bytes: [UInt8]

        /// A packet that went in `direction`.
        public init(_ direction: Direction, timestamp: UInt64 = 0, _ bytes: [UInt8]) {
            self.direction = direction
            self.timestamp = timestamp
            self.bytes = bytes
        }
    }

    /// The peer; nil if the recording began in the middle.
    public var peer: DeviceAddress?
    /// The packets, in order.
    public var packets: [Packet]
    /// Why the link ended (Vol 1, Part F, 1.3); nil if the recording ended before it.
    public var endReason: UInt8?

    /// A conversation of `packets`.
    public init(peer: DeviceAddress?, packets: [Packet] = [], endReason: UInt8? = nil) {
        self.peer = peer
        self.packets = packets
        self.endReason = endReason
    }
}
