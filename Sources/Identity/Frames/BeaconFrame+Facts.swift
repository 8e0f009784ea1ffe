import Bluetooth

extension BeaconFrame {
    /// The facts about its beacon.
    var facts: FrameFacts {
        switch self {
        case .iBeacon(let frame): frame.facts
        case .eddystoneUID(let frame): frame.facts
        case .eddystoneURL(let frame): frame.facts
        case .eddystoneTLM(let frame): frame.facts
        case .eddystoneEID(let frame): frame.facts
        case .altBeacon(let frame): frame.facts
        case .kkmSystem(let frame): frame.facts
        case .kkmSensor(let frame): frame.facts
        case .kkmExtended(let frame): frame.facts
        case .feasycom(let frame): frame.facts
        case .kontaktClassic(let frame): frame.facts
        case .kontaktPlain(let frame): frame.facts
        case .kontaktShuffled(let frame): frame.profile.facts
        case .kontaktTelemetry(let frame): frame.facts
        case .kontaktLocation(let frame): frame.facts
        case .estimoteTelemetry(let frame): frame.facts
        case .nearable(let frame): frame.facts
        case .aSensor(let frame): frame.facts
        case .batteryService(let frame): FrameFacts(charge: BatteryCharge(percent: frame.percent))
        case .eddystoneEncryptedTLM: FrameFacts(telemetryVersion: 1)
        case .kkmEncryptedSensor, .kkmEBeacon, .kkmAOA, .kkmOld, .orangeTag:
            FrameFacts()
        }
    }

    /// Whether, in `element`, it comes only from KBeacons of the second generation.
    func isSecondGeneration(in element: AdvertisingData.Element) -> Bool {
        switch self {
        case .kkmSystem, .kkmEncryptedSensor, .kkmEBeacon, .kkmAOA: return true
        case .kkmSensor(let frame):
            if case .manufacturer = element { return true }
            return frame.hasFieldsOfSecondGeneration
        case .kkmExtended(let frame): return frame.address != nil
        default: return false
        }
    }
}
