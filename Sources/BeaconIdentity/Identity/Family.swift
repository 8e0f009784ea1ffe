/// What a beacon is by its frames, in the order of recognition: of several the first counts. The raw value is its word
/// in JSON and filters. What advertises the update mode of a bootloader is known by that, before any of these.
public enum Family: String, CaseIterable, Sendable {
    /// KKM's KBeacon.
    case kkm
    /// KKM's KBeacon before 2019.
    case kkmOld = "kkm-old"
    /// Kontakt.io's beacons.
    case kontakt
    /// Estimote's beacons.
    case estimote
    /// Estimote's stickers.
    case nearable
    /// Feasycom's beacons.
    case feasycom
    /// AprilBrother's ASensor.
    case aSensor = "asensor"
    /// Orange's Beacon Tag.
    case orangeTag = "orange-tag"
    /// Somebody's iBeacon.
    case iBeacon = "ibeacon"
    /// Somebody's Eddystone beacon.
    case eddystone
    /// Somebody's AltBeacon.
    case altBeacon = "altbeacon"
    /// Nothing known.
    case unknown

    /// Whose beacons these are; nil for standard formats, which anybody may use.
    public var maker: Maker? {
        switch self {
        case .kkm, .kkmOld: .kkm
        case .kontakt: .kontakt
        case .estimote, .nearable: .estimote
        case .feasycom: .feasycom
        case .aSensor: .aprilBrother
        case .orangeTag: .orange
        case .iBeacon, .eddystone, .altBeacon, .unknown: nil
        }
    }
}

extension FrameKind {
    /// Which beacons send it; unknown where anybody may.
    public var family: Family {
        switch self {
        case .iBeacon: .iBeacon
        case .eddystoneUID, .eddystoneURL, .eddystoneTLM, .eddystoneEncryptedTLM, .eddystoneEID: .eddystone
        case .altBeacon: .altBeacon
        case .kkmSystem, .kkmSensor, .kkmEncryptedSensor, .kkmExtended, .kkmEBeacon, .kkmAOA: .kkm
        case .kkmOld: .kkmOld
        case .feasycom: .feasycom
        case .kontaktClassic, .kontaktPlain, .kontaktShuffled, .kontaktTelemetry, .kontaktLocation: .kontakt
        case .estimoteTelemetry: .estimote
        case .nearable: .nearable
        case .aSensor: .aSensor
        case .orangeTag: .orangeTag
        case .batteryService: .unknown
        }
    }
}
