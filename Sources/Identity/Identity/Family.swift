/// The family of a beacon, by its frames, in the order of recognition: the first of several counts. The raw
/// value is used in JSON and filters. A bootloader in update mode is recognised by that, before any of these.
package enum Family: String, CaseIterable, Sendable {
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
    /// An iBeacon of any maker.
    case iBeacon = "ibeacon"
    /// An Eddystone beacon of any maker.
    case eddystone
    /// An AltBeacon of any maker.
    case altBeacon = "altbeacon"
    /// No known frames.
    case unknown

    /// The maker of these beacons; nil for standard formats, which any maker may use.
    package var maker: Maker? {
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
    /// The family that sends it; unknown if any may.
    package var family: Family {
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

/// The maker of a beacon; the raw value is used in JSON and filters.
package enum Maker: String, CaseIterable, Sendable {
    case kkm
    case feasycom
    case kontakt
    case estimote
    case aprilBrother = "aprilbrother"
    case orange

    /// The name for people.
    package var title: String {
        switch self {
        case .kkm: "KKM"
        case .feasycom: "Feasycom"
        case .kontakt: "Kontakt.io"
        case .estimote: "Estimote"
        case .aprilBrother: "AprilBrother"
        case .orange: "Orange"
        }
    }
}

extension Maker {
    /// How its beacons are updated, if only the maker can do that; nil otherwise.
    package var vendorWay: String? {
        switch self {
        case .estimote: "update it with Estimote's application, signed in with the account that owns it"
        case .kontakt: "update it with Kontakt.io's application, signed in with the account that owns it"
        case .orange: "there is no public update; ask the operator who sold it"
        case .kkm, .feasycom, .aprilBrother: nil
        }
    }
}
