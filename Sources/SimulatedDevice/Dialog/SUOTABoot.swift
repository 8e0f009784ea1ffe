/// What a device with SUOTA starts after a reset (dialog-suota.md, Which image starts).
public struct SUOTABoot: Hashable, Sendable {
    /// An image that runs.
    public struct Image: Hashable, Sendable {
        /// The version text of its header.
        public let version: String
        /// Unix seconds in its header.
        public let timestamp: UInt32
        /// Its code.
        public let payload: [UInt8]
        /// The bank that it came from, 1 or 2; 1 where there is a loader that copies.
        public let bank: Int
        /// Whether its CRC-32 is right. A 58x starts a lone image even if not.
        public let isIntact: Bool
    }

    /// What runs; nil when nothing does.
    public let image: Image?
    /// How long it takes until that is up.
    public let time: Duration

    /// Whether an image runs that can be talked to.
    public var isAlive: Bool { image?.isIntact == true }
}
