/// A kind of frame; the raw value is used in JSON.
public enum FrameKind: String, CaseIterable, Sendable {
    /// Apple's proximity beacon, company 004C.
    case iBeacon = "ibeacon"
    /// Eddystone's namespace and instance.
    case eddystoneUID = "eddystone-uid"
    /// Eddystone's web address.
    case eddystoneURL = "eddystone-url"
    /// Eddystone's telemetry.
    case eddystoneTLM = "eddystone-tlm"
    /// Eddystone's encrypted telemetry.
    case eddystoneEncryptedTLM = "eddystone-etlm"
    /// Eddystone's ephemeral identity.
    case eddystoneEID = "eddystone-eid"
    /// AltBeacon, under any company.
    case altBeacon = "altbeacon"
    /// KKM: model, battery, address and version.
    case kkmSystem = "kkm-system"
    /// KKM: measured values.
    case kkmSensor = "kkm-sensor"
    /// KKM: measured values, encrypted.
    case kkmEncryptedSensor = "kkm-encrypted-sensor"
    /// KKM: scan response data under 2080.
    case kkmExtended = "kkm-extended"
    /// KKM: an iBeacon whose UUID is encrypted.
    case kkmEBeacon = "kkm-ebeacon"
    /// KKM: a frame for measuring the angle of arrival.
    case kkmAOA = "kkm-aoa"
    /// KKM before 2019, by its service.
    case kkmOld = "kkm-old"
    /// Feasycom, under FFF0.
    case feasycom
    /// Kontakt.io's scan response, under D00D.
    case kontaktClassic = "kontakt-classic"
    /// Kontakt.io's secure profile with its unique id.
    case kontaktPlain = "kontakt-plain"
    /// Kontakt.io's secure profile with an id that changes.
    case kontaktShuffled = "kontakt-shuffled"
    /// Kontakt.io's measured values.
    case kontaktTelemetry = "kontakt-telemetry"
    /// Kontakt.io's frame for locating.
    case kontaktLocation = "kontakt-location"
    /// Estimote's measured values, under FE9A.
    case estimoteTelemetry = "estimote-telemetry"
    /// Estimote's sticker, company 015D.
    case nearable
    /// AprilBrother's ASensor, company 00D2.
    case aSensor = "asensor"
    /// Orange's Beacon Tag, by its service.
    case orangeTag = "orange-tag"
    /// The battery level of the Battery Service, 180F.
    case batteryService = "battery-service"
}
