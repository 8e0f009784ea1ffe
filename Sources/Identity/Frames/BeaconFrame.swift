/// One frame of a beacon, parsed.
public enum BeaconFrame: Equatable, Sendable {
    /// Apple's proximity beacon.
    case iBeacon(IBeacon)
    /// Eddystone's namespace and instance.
    case eddystoneUID(EddystoneUID)
    /// Eddystone's web address.
    case eddystoneURL(EddystoneURL)
    /// Eddystone's telemetry.
    case eddystoneTLM(EddystoneTLM)
    /// Eddystone's encrypted telemetry.
    case eddystoneEncryptedTLM(EddystoneEncryptedTLM)
    /// Eddystone's ephemeral identity.
    case eddystoneEID(EddystoneEID)
    /// AltBeacon.
    case altBeacon(AltBeacon)
    /// KKM's system frame.
    case kkmSystem(KKMSystem)
    /// KKM's measured values.
    case kkmSensor(KKMSensor)
    /// KKM's measured values, encrypted.
    case kkmEncryptedSensor(KKMEncryptedSensor)
    /// KKM's scan response data under 2080.
    case kkmExtended(KKMExtended)
    /// KKM's iBeacon with an encrypted UUID.
    case kkmEBeacon(KKMEBeacon)
    /// KKM's frame for measuring the angle of arrival.
    case kkmAOA(KKMAOA)
    /// The service of KKM's beacons before 2019.
    case kkmOld
    /// Feasycom's frame.
    case feasycom(FeasycomFrame)
    /// Kontakt.io's scan response.
    case kontaktClassic(KontaktClassic)
    /// Kontakt.io's secure profile.
    case kontaktPlain(KontaktPlain)
    /// Kontakt.io's secure profile, shuffled.
    case kontaktShuffled(KontaktShuffled)
    /// Kontakt.io's measured values.
    case kontaktTelemetry(KontaktTelemetry)
    /// Kontakt.io's frame for locating.
    case kontaktLocation(KontaktLocation)
    /// Estimote's measured values.
    case estimoteTelemetry(EstimoteTelemetry)
    /// Estimote's sticker.
    case nearable(Nearable)
    /// AprilBrother's ASensor.
    case aSensor(ASensor)
    /// The service of Orange's Beacon Tag.
    case orangeTag
    /// The Battery Service's level.
    case batteryService(BatteryLevel)

    /// The kind of the frame.
    public var kind: FrameKind {
        switch self {
        case .iBeacon: .iBeacon
        case .eddystoneUID: .eddystoneUID
        case .eddystoneURL: .eddystoneURL
        case .eddystoneTLM: .eddystoneTLM
        case .eddystoneEncryptedTLM: .eddystoneEncryptedTLM
        case .eddystoneEID: .eddystoneEID
        case .altBeacon: .altBeacon
        case .kkmSystem: .kkmSystem
        case .kkmSensor: .kkmSensor
        case .kkmEncryptedSensor: .kkmEncryptedSensor
        case .kkmExtended: .kkmExtended
        case .kkmEBeacon: .kkmEBeacon
        case .kkmAOA: .kkmAOA
        case .kkmOld: .kkmOld
        case .feasycom: .feasycom
        case .kontaktClassic: .kontaktClassic
        case .kontaktPlain: .kontaktPlain
        case .kontaktShuffled: .kontaktShuffled
        case .kontaktTelemetry: .kontaktTelemetry
        case .kontaktLocation: .kontaktLocation
        case .estimoteTelemetry: .estimoteTelemetry
        case .nearable: .nearable
        case .aSensor: .aSensor
        case .orangeTag: .orangeTag
        case .batteryService: .batteryService
        }
    }
}
