/// What happens to a frame before it is sent.
public struct FrameDamage: Hashable, Sendable {
    /// Bits that change.
    public struct Flip: Hashable, Sendable {
        /// Which byte of the data, after company or UUID, from 0.
        public var offset: Int
        /// Which of its bits.
        public var mask: UInt8

        /// The bits of `mask` at `offset`.
        public init(_ offset: Int, _ mask: UInt8) {
            self.offset = offset
            self.mask = mask
        }
    }

    /// Bits of the data that change.
    public var flips: [Flip] = []
    /// How many bytes of the data are left; the structure's length is right.
    public var dataLength: Int?
    /// What the structure's length byte says instead.
    public var announcedLength: UInt8?
    /// How many bytes of the whole report are left; its last structure runs past the end.
    public var reportLength: Int?

    /// None.
    public init() {}

    /// What is left of `frame`.
    func bytes(of frame: AdvertisedFrame) -> [UInt8] {
        var frame = frame
        for flip in flips where frame.main.data.indices.contains(flip.offset) {
            frame.main.data[flip.offset] ^= flip.mask
        }
        if let dataLength { frame.main.data = Array(frame.main.data.prefix(dataLength)) }
        frame.main.announcedLength = announcedLength
        return Array(frame.bytes.prefix(reportLength ?? .max))
    }
}
