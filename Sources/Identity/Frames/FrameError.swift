import Bytes

/// An error in a frame, with its position.
package struct FrameError: Error, Hashable, Sendable {
    /// The kind of frame that was expected.
    package let frame: FrameKind
    /// The field's name.
    package let field: String
    /// Bytes from the first one after the company or the UUID to the field.
    package let offset: Int
    /// The error, in words.
    package let problem: String

    /// An error in `field`, which begins at `offset`.
    package init(frame: FrameKind, field: String, offset: Int, problem: String) {
        self.frame = frame
        self.field = field
        self.offset = offset
        self.problem = problem
    }

    init(_ frame: FrameKind, _ error: ByteError) {
        let problem =
            if case .truncated(let needed, let available) = error.reason {
                "\(needed) bytes needed, \(available) left"
            } else {
                error.description
            }
        self.init(frame: frame, field: error.field, offset: error.offset, problem: problem)
    }
}

extension FrameError: CustomStringConvertible {
    /// One line for people.
    package var description: String { "\(frame.rawValue): \(field) at offset \(offset): \(problem)" }
}

/// The facts that one frame reports about its beacon; nil and empty for what it does not report.
struct FrameFacts {
    var model: String?
    var modelNumber: Int?
    var id: String?
    var version: String?
    var hardwareVersion: String?
    var charge = BatteryCharge()
    var txPower: Int?
    var number: ProximityIdentity?
    /// Major and minor of an iBeacon whose UUID is not in the frame.
    var majorAndMinor: MajorAndMinor?
    var url: String?
    /// The version of Eddystone's telemetry: 0 plain, 1 encrypted.
    var telemetryVersion: Int?
    /// In dBm, at 1 m.
    var measuredPower: Int8?
    var sensors: [SensorValue] = []
    /// Flags by name.
    var flags: [String: Bool] = [:]
    /// Why only part of the frame was parsed.
    var flaw: FrameError?
}

/// A value that a beacon has measured and advertises.
package struct SensorValue: Hashable, Sendable {
    /// The measured quantity, in kebab case, for example `temperature`.
    package let name: String
    /// The value, in `unit`.
    package let value: Double
    /// The unit's symbol; empty if there is none, or none is published.
    package let unit: String

    /// A measured value.
    package init(_ name: String, _ value: Double, _ unit: String) {
        self.name = name
        self.value = value
        self.unit = unit
    }
}

extension SensorValue: CustomStringConvertible {
    /// For people, for example `temperature 21.5 °C`.
    package var description: String {
        let rounded = (value * 1000).rounded() / 1000
        let number = rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
        return unit.isEmpty ? "\(name) \(number)" : "\(name) \(number) \(unit)"
    }
}

/// A kind of frame; the raw value is used in JSON.
package enum FrameKind: String, CaseIterable, Sendable {
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
