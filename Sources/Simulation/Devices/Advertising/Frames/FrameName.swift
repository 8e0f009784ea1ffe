/// A frame, by its name in scenarios. Each advertiser declares its own.
public struct FrameName: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String
    /// A frame with this name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A frame with this name.
    public init(_ name: String) { rawValue = name }

    /// Apple's proximity beacon.
    public static let iBeacon = FrameName("ibeacon")
    /// Eddystone's namespace and instance.
    public static let eddystoneUID = FrameName("eddystone-uid")
    /// Eddystone's URL.
    public static let eddystoneURL = FrameName("eddystone-url")
    /// Eddystone's telemetry.
    public static let eddystoneTLM = FrameName("eddystone-tlm")
    /// Eddystone's encrypted telemetry.
    public static let eddystoneEncryptedTLM = FrameName("eddystone-etlm")
    /// Eddystone's ephemeral identifier.
    public static let eddystoneEID = FrameName("eddystone-eid")
    /// AltBeacon.
    public static let altBeacon = FrameName("altbeacon")

    /// The frames that no vendor owns.
    public static let standard: [FrameName] = [
        .iBeacon, .eddystoneUID, .eddystoneURL, .eddystoneTLM, .eddystoneEncryptedTLM, .eddystoneEID,
        .altBeacon,
    ]

    /// Whether it reports the beacon's condition and is sent less often.
    var isTelemetry: Bool { self == .eddystoneTLM || self == .eddystoneEncryptedTLM }
}

/// Damage done to a frame before it is sent.
struct FrameDamage: Hashable, Sendable {
    /// Bits of one byte to invert.
    struct Flip: Hashable, Sendable {
        /// The byte of the data, after the company or UUID, from 0.
        var offset: Int
        var mask: UInt8
    }

    var flips: [Flip] = []
    /// The bytes of the data that remain; the length byte stays correct. Nil for all.
    var dataLength: Int?
    /// The value of the structure's length byte; nil for the correct one.
    var announcedLength: UInt8?
    /// The bytes of the whole report that remain, so that its last structure runs past the end. Nil for all.
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
