/// Damage done to a frame before it is sent.
public struct FrameDamage: Hashable, Sendable {
    /// Bits of one byte to invert.
    public struct Flip: Hashable, Sendable {
        /// The byte of the data, after the company or UUID, from 0.
        public var offset: Int
        /// The bits of that byte.
        public var mask: UInt8

        /// The bits of `mask` at `offset`.
        public init(_ offset: Int, _ mask: UInt8) {
            self.offset = offset
            self.mask = mask
        }
    }

    /// The bits of the data to invert.
    public var flips: [Flip] = []
    /// The bytes of the data that remain; the length byte stays correct. Nil for all.
    public var dataLength: Int?
    /// The value of the structure's length byte; nil for the correct one.
    public var announcedLength: UInt8?
    /// The bytes of the whole report that remain, so that its last structure runs past the end. Nil for all.
    public var reportLength: Int?

    /// No damage.
    public init() {}

    /// The bytes of `frame` after the damage.
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
