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
