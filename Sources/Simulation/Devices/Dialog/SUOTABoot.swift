/// What a device with SUOTA starts after a reset (dialog-suota.md, Which image starts).
public struct SUOTABoot: Hashable, Sendable {
    /// A running image.
    public struct Image: Hashable, Sendable {
        /// The version text of its header.
        public let version: String
        /// Unix seconds in its header.
        public let timestamp: UInt32
        /// Its code.
        public let payload: [UInt8]
        /// The bank that it came from, 1 or 2; 1 if a loader copies images.
        public let bank: Int
        /// Whether its CRC-32 is correct. A 58x starts a single image even if it is not.
        public let isIntact: Bool
    }

    /// The running image; nil if nothing runs.
    public let image: Image?
    /// The time until the image is up.
    public let time: Duration

    /// Whether an intact image runs, which responds to clients.
    public var isAlive: Bool { image?.isIntact == true }
}
