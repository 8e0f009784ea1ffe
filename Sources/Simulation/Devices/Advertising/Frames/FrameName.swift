/// A frame, by its name in scenarios. Each advertiser declares its own frames.
public struct FrameName: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ name: String) { rawValue = name }

    public static let iBeacon = FrameName("ibeacon")
    public static let eddystoneUID = FrameName("eddystone-uid")
    public static let eddystoneURL = FrameName("eddystone-url")
    public static let eddystoneTLM = FrameName("eddystone-tlm")
    public static let eddystoneEncryptedTLM = FrameName("eddystone-etlm")
    public static let eddystoneEID = FrameName("eddystone-eid")
    public static let altBeacon = FrameName("altbeacon")

    /// The frames that belong to no vendor.
    public static let standard: [FrameName] = [
        .iBeacon, .eddystoneUID, .eddystoneURL, .eddystoneTLM, .eddystoneEncryptedTLM, .eddystoneEID,
        .altBeacon,
    ]

    /// Whether it reports the beacon's condition and is sent less often.
    var isTelemetry: Bool { self == .eddystoneTLM || self == .eddystoneEncryptedTLM }
}

struct FrameDamage: Hashable, Sendable {
    /// Bits of one byte to invert.
    struct Flip: Hashable, Sendable {
        /// The index of the byte in the data after the company or UUID, from 0.
        var offset: Int
        var mask: UInt8
    }

    var flips: [Flip] = []
    /// The number of data bytes that remain; the length byte stays correct. Nil for all.
    var dataLength: Int?
    /// The value of the structure's length byte; nil for the correct one.
    var announcedLength: UInt8?
    /// The number of bytes of the report that remain, so that its last structure runs past the end. Nil for all.
    var reportLength: Int?

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
