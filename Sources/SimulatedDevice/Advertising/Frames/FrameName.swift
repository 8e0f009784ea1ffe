/// The frames that beacons of all makers can send, by the names that scenarios have for them.
public enum FrameName: String, CaseIterable, Sendable {
    /// Apple's proximity beacon.
    case iBeacon = "ibeacon"
    /// Eddystone's namespace and instance.
    case eddystoneUID = "eddystone-uid"
    /// Eddystone's web address.
    case eddystoneURL = "eddystone-url"
    /// Eddystone's telemetry.
    case eddystoneTLM = "eddystone-tlm"
    /// The same, encrypted.
    case eddystoneEncryptedTLM = "eddystone-etlm"
    /// Eddystone's changing identity.
    case eddystoneEID = "eddystone-eid"
    /// AltBeacon.
    case altBeacon = "altbeacon"
    /// KKM: model, battery, address, version.
    case kkmSystem = "kkm-system"
    /// KKM: what the sensors say.
    case kkmSensor = "kkm-sensor"
    /// The same, encrypted.
    case kkmEncryptedSensor = "kkm-encrypted-sensor"
    /// KKM: an encrypted identity.
    case kkmEBeacon = "kkm-ebeacon"
    /// KKM: for finding directions.
    case kkmAOA = "kkm-aoa"
    /// KKM before 2019: a service of its own.
    case kkmOld = "kkm-old"
    /// Feasycom: everything in one.
    case feasycom
    /// Kontakt's secure profile, readable.
    case kontaktPlain = "kontakt-plain"
    /// Kontakt's secure profile with an identity that changes.
    case kontaktShuffled = "kontakt-shuffled"
    /// Kontakt's telemetry.
    case kontaktTelemetry = "kontakt-telemetry"
    /// Kontakt's location.
    case kontaktLocation = "kontakt-location"
    /// Estimote's telemetry, its two parts in turn.
    case estimoteTelemetry = "estimote-telemetry"
    /// Estimote's sticker.
    case nearable
    /// AprilBrother's ASensor.
    case aSensor = "asensor"
    /// Orange's Beacon Tag, while its button lets somebody in.
    case orangeTag = "orange-tag"

    /// Those that are nobody's own.
    public static let standard: [FrameName] = [
        .iBeacon, .eddystoneUID, .eddystoneURL, .eddystoneTLM, .eddystoneEncryptedTLM, .eddystoneEID,
        .altBeacon,
    ]

    /// Whether it tells how the beacon is, and comes seldom.
    var isTelemetry: Bool { self == .eddystoneTLM || self == .eddystoneEncryptedTLM }
}
