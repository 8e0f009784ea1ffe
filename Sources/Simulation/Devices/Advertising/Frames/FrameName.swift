/// The frames of all vendors, with their names in scenarios.
public enum FrameName: String, CaseIterable, Sendable {
    /// Apple's proximity beacon.
    case iBeacon = "ibeacon"
    /// Eddystone's namespace and instance.
    case eddystoneUID = "eddystone-uid"
    /// Eddystone's URL.
    case eddystoneURL = "eddystone-url"
    /// Eddystone's telemetry.
    case eddystoneTLM = "eddystone-tlm"
    /// Eddystone's encrypted telemetry.
    case eddystoneEncryptedTLM = "eddystone-etlm"
    /// Eddystone's ephemeral identifier.
    case eddystoneEID = "eddystone-eid"
    /// AltBeacon.
    case altBeacon = "altbeacon"
    /// KKM: model, battery, address, version.
    case kkmSystem = "kkm-system"
    /// KKM: sensor values.
    case kkmSensor = "kkm-sensor"
    /// KKM: encrypted sensor values.
    case kkmEncryptedSensor = "kkm-encrypted-sensor"
    /// KKM: an encrypted identifier.
    case kkmEBeacon = "kkm-ebeacon"
    /// KKM: direction finding.
    case kkmAOA = "kkm-aoa"
    /// KKM before 2019: a proprietary service.
    case kkmOld = "kkm-old"
    /// Feasycom: all information in one frame.
    case feasycom
    /// Kontakt's secure profile, unencrypted.
    case kontaktPlain = "kontakt-plain"
    /// Kontakt's secure profile with a shuffled identifier.
    case kontaktShuffled = "kontakt-shuffled"
    /// Kontakt's telemetry.
    case kontaktTelemetry = "kontakt-telemetry"
    /// Kontakt's location.
    case kontaktLocation = "kontakt-location"
    /// Estimote's telemetry, alternating between its two parts.
    case estimoteTelemetry = "estimote-telemetry"
    /// Estimote's sticker.
    case nearable
    /// AprilBrother's ASensor.
    case aSensor = "asensor"
    /// Orange's Beacon Tag, while it is connectable after a press of its button.
    case orangeTag = "orange-tag"

    /// The frames that no vendor owns.
    public static let standard: [FrameName] = [
        .iBeacon, .eddystoneUID, .eddystoneURL, .eddystoneTLM, .eddystoneEncryptedTLM, .eddystoneEID,
        .altBeacon,
    ]

    /// Whether it reports the beacon's condition and is sent less often.
    var isTelemetry: Bool { self == .eddystoneTLM || self == .eddystoneEncryptedTLM }
}

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
