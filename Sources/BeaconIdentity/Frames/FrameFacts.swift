/// What one frame says of its beacon; nil and empty where it says nothing.
struct FrameFacts {
    var model: String?
    var modelNumber: Int?
    var id: String?
    var version: String?
    var hardwareVersion: String?
    var charge = BatteryCharge()
    var txPower: Int?
    var number: ProximityIdentity?
    /// Major and minor of an iBeacon whose UUID the frame does not say.
    var majorAndMinor: MajorAndMinor?
    var url: String?
    /// The version of Eddystone's telemetry: 0 plain, 1 encrypted.
    var telemetryVersion: Int?
    /// In dBm, at 1 m.
    var measuredPower: Int8?
    var sensors: [SensorValue] = []
    /// Words, and whether they hold.
    var flags: [String: Bool] = [:]
    /// Why the frame was read only in part.
    var flaw: FrameError?
}
