import Bluetooth
import Bytes

/// A sticker by Estimote. Its format is reserved for Estimote's own radios, so it is simulated in memory only.
///
///     0   1  0x01
///     1   8  id
///     9   1  hardware
///     10  1  version
///     11  2  bits 0-11 temperature in 1/16 °C, low byte first; bits 12-15 low four bits of the voltage
///     13  1  bits 0-5 high six bits of the voltage; bit 6 moving, 7 under load
///     14  3  acceleration x, y, z, in 15.625 mg
///     17  2  duration of the current state of motion, and of the previous state, 1 byte each
///
/// Offsets count from the end of the company number. The voltage n is in units of 3 · 1.2 V / 1023.
struct NearableAdvertiser: Advertiser {
    var name = ""
    var standard: StandardIdentity
    var id: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    var hardware: UInt8 = 4
    var version: UInt8 = 2
    var motion = MotionState()
    var isUnderLoad = false

    init(address: DeviceAddress) {
        standard = StandardIdentity(address: address)
        standard.batteryMillivolts = 2991
        standard.temperature = 20.5
        (motion.isMoving, motion.acceleration) = (true, [0, 0, 0x40])
        (motion.current, motion.previous) = (.seconds(5), .seconds(60))
    }

    static let ownFrames: [FrameName] = [.nearable]

    /// Never: connecting needs the owner's account.
    var connectable: ConnectableWindow.Rule { .never }

    func payload(of frame: FrameName, at moment: AdvertisingMoment) -> AdvertisedFrame? {
        guard frame == .nearable else { return standard.payload(of: frame, at: moment) }
        let sixteenths = Int16(exactly: ((standard.temperature ?? 0) * 16).rounded()) ?? 0
        let volts = UInt16(clamping: (Int(standard.batteryMillivolts) * 1023 + 1800) / 3600)
        let word = UInt16(bitPattern: sixteenths) & 0x0FFF | volts << 12
        let state =
            UInt8(truncatingIfNeeded: volts >> 4) & 0x3F | (motion.isMoving ? 0x40 : 0)
            | (isUnderLoad ? 0x80 : 0)
        let durations = [motion.current, motion.previous].map { motion.byte(of: $0, days: 31) }
        let head: [UInt8] = [0x01] + id + [hardware, version]
        return AdvertisedFrame(
            [.flags], .company(0x015D, head + word.bytes() + [state] + motion.axes + durations))
    }

    init(reading entry: inout BeaconEntry) throws(YAMLProblem) {
        self.init(address: entry.address)
        id = try entry["id"]?.bytes(8) ?? id
        hardware = try entry.number("hardware") ?? hardware
        version = try entry.number("version") ?? version
        try motion.read(&entry)
        isUnderLoad = try entry.truth("under_load") ?? isUnderLoad
    }
}

extension FrameName { static let nearable = FrameName("nearable") }
