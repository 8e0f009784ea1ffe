package import Bluetooth

/// One frame of a beacon, parsed.
package enum BeaconFrame: Equatable, Sendable {
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
    package var kind: FrameKind {
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

extension BluetoothUUID {
    /// The update service of AprilBrother's beacons.
    static let fef5 = BluetoothUUID(0xFEF5)
    /// KKM's service before 2019: EE0C2080-8786-40BA-AB96-99B91AC981D8.
    static let oldKKM = BluetoothUUID(high: 0xEE0C_2080_8786_40BA, low: 0xAB96_99B9_1AC9_81D8)
    /// The service of Orange's Beacon Tag: 59EC0800-0B1E-4063-8B16-B00B50AA3A7E.
    static let orangeTag = BluetoothUUID(high: 0x59EC_0800_0B1E_4063, low: 0x8B16_B00B_50AA_3A7E)
}

extension BeaconFrame {
    /// The frame in `element` of a report; nil if it is none of these. `besideFEF5`: the sender has advertised
    /// that service. Throws if the frame is recognised but does not fit its kind.
    package init?(
        _ element: AdvertisingData.Element, of report: AdvertisingData, from sender: DeviceAddress,
        besideFEF5: Bool
    ) throws(FrameError) {
        let frame =
            switch element {
            case .serviceData(let service, let bytes):
                try Self.serviceData(service.short, bytes, report.leftover, sender)
            case .manufacturer(let company, let bytes): try Self.manufacturer(company, bytes, besideFEF5)
            case .services(let list, _): Self.service(list)
            default: nil as BeaconFrame?
            }
        guard let frame else { return nil }
        self = frame
    }

    private static func service(_ list: [BluetoothUUID]) -> BeaconFrame? {
        if list.contains(.oldKKM) { return .kkmOld }
        return list.contains(.orangeTag) ? .orangeTag : nil
    }

    private static func serviceData(
        _ service: UInt16?, _ bytes: [UInt8], _ leftover: [UInt8], _ sender: DeviceAddress
    ) throws(FrameError) -> BeaconFrame? {
        switch service {
        case 0xFEAA: try eddystone(bytes)
        case 0x2080: .kkmExtended(try KKMExtended(parsing: bytes))
        case 0xD00D: .kontaktClassic(try KontaktClassic(parsing: bytes))
        case 0xFE6A: try kontakt(bytes)
        case 0xFE9A where bytes.first.map { $0 & 0x0F } == 2:
            .estimoteTelemetry(try EstimoteTelemetry(parsing: bytes))
        case 0xFFF0: feasycom(bytes, leftover, sender)
        case 0x180F: .batteryService(try BatteryLevel(parsing: bytes))
        default: nil
        }
    }

    private static func manufacturer(
        _ company: UInt16, _ bytes: [UInt8], _ besideFEF5: Bool
    ) throws(FrameError) -> BeaconFrame? {
        switch (company, bytes.first) {
        case (0x0A53, 0x22), (0x0A53, 0x21), (0x0A53, 0x06): try kkm(bytes)
        case (0x0A53, 0x03): .kkmEBeacon(try KKMEBeacon(parsing: bytes))
        case (0x0A53, 0x04): .kkmAOA(try KKMAOA(parsing: bytes))
        // Not every frame with KKM's company number: only those with checked values.
        case (0x000D, 0x04):
            (try? KKMAOA(parsing: bytes)).flatMap { $0.hasAcceleration ? nil : .kkmAOA($0) }
        case (0x004C, 0x02) where bytes.starts(with: [0x02, 0x15]): .iBeacon(try IBeacon(parsing: bytes))
        case (0x015D, 0x01): .nearable(try Nearable(parsing: bytes))
        case (0x00D2, _) where besideFEF5 && bytes.count == 16: .aSensor(try ASensor(parsing: bytes))
        case (_, 0xBE) where bytes.starts(with: [0xBE, 0xAC]):
            .altBeacon(try AltBeacon(parsing: bytes, of: company))
        default: nil
        }
    }

    private static func eddystone(_ bytes: [UInt8]) throws(FrameError) -> BeaconFrame? {
        switch bytes.first {
        case 0x00: .eddystoneUID(try EddystoneUID(parsing: bytes))
        case 0x10: .eddystoneURL(try EddystoneURL(parsing: bytes))
        case 0x20 where bytes.count < 2 || bytes[1] == 0x00: .eddystoneTLM(try EddystoneTLM(parsing: bytes))
        case 0x20 where bytes[1] == 0x01: .eddystoneEncryptedTLM(try EddystoneEncryptedTLM(parsing: bytes))
        case 0x30: .eddystoneEID(try EddystoneEID(parsing: bytes))
        default: try kkm(bytes)
        }
    }

    /// KKM's frames, which are also sent under Eddystone's service.
    private static func kkm(_ bytes: [UInt8]) throws(FrameError) -> BeaconFrame? {
        switch bytes.first {
        case 0x22: .kkmSystem(try KKMSystem(parsing: bytes))
        case 0x21: .kkmSensor(try KKMSensor(parsing: bytes))
        case 0x06: .kkmEncryptedSensor(try KKMEncryptedSensor(parsing: bytes))
        default: nil
        }
    }

    private static func kontakt(_ bytes: [UInt8]) throws(FrameError) -> BeaconFrame? {
        switch bytes.first {
        case 0x01: .kontaktShuffled(try KontaktShuffled(parsing: bytes))
        case 0x02: .kontaktPlain(try KontaktPlain(parsing: bytes))
        case 0x03: .kontaktTelemetry(try KontaktTelemetry(parsing: bytes))
        case 0x05: .kontaktLocation(try KontaktLocation(parsing: bytes))
        default: nil
        }
    }

    /// Some declare one byte less than they send, so that the battery is in the `left` bytes after all
    /// structures. A frame that is not Feasycom's is no error: others use FFF0 too.
    private static func feasycom(
        _ bytes: [UInt8], _ left: [UInt8], _ sender: DeviceAddress
    ) -> BeaconFrame? {
        guard (10...11).contains(bytes.count),
            let frame = try? FeasycomFrame(
                parsing: bytes.count == 10 && left.count == 1 ? bytes + left : bytes),
            frame.isGenuine(from: sender)
        else { return nil }
        return .feasycom(frame)
    }
}
