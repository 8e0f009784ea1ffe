import Bluetooth
import Bytes

/// A beacon by Estimote. Its formats are reserved for Estimote's own radios, so they are simulated in memory only.
///
///     0   1  bits 0-3: 2 telemetry; 4-7: protocol version
///     1   8  first half of the identifier
///     9   1  bits 0-1: 0 part A, 1 part B
///
/// Part A:
///
///     10  3  acceleration x, y, z, in 2/127 g
///     13  2  duration of the previous state of motion, and of the current state, 1 byte each
///     15  1  bits 0-1: 1 moving; protocol 2, bits 2-3: errors; bits 4-7: GPIO pins that are high
///     16  1  protocol 1, bits 0-1: errors
///     16  4  protocol 2: pressure in 1/256 Pa, low byte first
///
/// Part B:
///
///     10  3  magnetic field x, y, z, in 1/128
///     13  1  light in 0.72 lx: low nibble, shifted left by the high nibble
///     14  5  low byte first: 12 bits time since power-up, 2 bits its unit, 12 bits temperature in 1/16 °C,
///            14 bits battery in mV
///     19  1  protocol 0, bits 0-1: errors; later protocols: battery in percent, 0xFF unknown
struct EstimoteAdvertiser: Advertiser {
    var name = ""
    var standard: StandardIdentity
    var id: [UInt8] = [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88]
    /// The protocol version; 0 to 2 are known.
    var telemetryVersion: UInt8 = 2
    var battery: UInt8 = 87
    var motion = MotionState()
    /// The GPIO pins that are high, pin 0 in bit 0.
    var highPins: UInt8 = 0
    /// The air pressure in Pa.
    var pressure: Double = 0
    /// The magnetic field along three axes, as encoded.
    var magneticField: [Int8] = [0, 0, 0]
    /// The light level in lx.
    var light: Double = 0
    var hasFirmwareError = false
    var hasClockError = false

    init(address: DeviceAddress) {
        standard = StandardIdentity(address: address)
        standard.batteryMillivolts = 3010
    }

    static let ownFrames: [FrameName] = [.estimoteTelemetry]

    /// Never: connecting needs the owner's account.
    var connectable: ConnectableWindow.Rule { .never }

    func payload(of frame: FrameName, at moment: AdvertisingMoment) -> AdvertisedFrame? {
        guard frame == .estimoteTelemetry else { return standard.payload(of: frame, at: moment) }
        let part = UInt8(moment.turn % 2)
        let content = part == 0 ? partA : partB(at: moment)
        let data = [telemetryVersion << 4 | 2] + id + [part] + content
        return AdvertisedFrame([.flags, .service(BluetoothUUID(0xFE9A))], .service(0xFE9A, data))
    }

    private var errors: UInt8 { (hasFirmwareError ? 1 : 0) | (hasClockError ? 2 : 0) }

    private var partA: [UInt8] {
        let state = highPins << 4 | (telemetryVersion == 2 ? errors << 2 : 0) | (motion.isMoving ? 1 : 0)
        let rest: [UInt8] =
            switch telemetryVersion {
            case 1: [errors, 0, 0, 0]
            case 2: (UInt32(exactly: (pressure * 256).rounded()) ?? 0).bytes()
            default: [0, 0, 0, 0]
            }
        let durations = [motion.previous, motion.current].map { motion.byte(of: $0, days: 32) }
        return motion.axes + durations + [state] + rest
    }

    private func partB(at moment: AdvertisingMoment) -> [UInt8] {
        let seconds = UInt64(clamping: moment.elapsed.nanoseconds / 1_000_000_000)
        let units: [UInt64] = [1, 60, 3600, 86_400]
        let unit = units.firstIndex { seconds / $0 < 4096 } ?? 3
        let sixteenths = Int16(exactly: ((standard.temperature ?? 0) * 16).rounded()) ?? 0
        var word = min(seconds / units[unit], 4095)
        word |= UInt64(clamping: unit) << 12
        word |= UInt64(UInt16(bitPattern: sixteenths) & 0x0FFF) << 14
        word |= UInt64(standard.batteryMillivolts & 0x3FFF) << 26
        let packed = (0..<5).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
        return magneticField.map { UInt8(bitPattern: $0) } + [brightness] + packed
            + [telemetryVersion == 0 ? errors : battery]
    }

    private var brightness: UInt8 {
        var (steps, doublings) = ((light / 0.72).rounded(), UInt8(0))
        while steps > 15, doublings < 15 { (steps, doublings) = ((steps / 2).rounded(), doublings + 1) }
        return doublings << 4 | UInt8(min(max(steps, 0), 15))
    }

    init(reading entry: inout BeaconEntry) throws(YAMLProblem) {
        self.init(address: entry.address)
        id = try entry["id"]?.bytes(8) ?? id
        telemetryVersion = try entry.number("telemetry_version", in: 0...15) ?? telemetryVersion
        battery = try entry.number("battery") ?? battery
        try motion.read(&entry)
        for value in try entry["gpio"]?.list() ?? [] {
            let pin: UInt8 = try value.number(in: 0...3)
            highPins |= 1 << pin
        }
        magneticField = try entry["magnetic_field"]?.numbers(3) ?? magneticField
        light = try entry["light"]?.decimal(in: 0...353_000) ?? light
        pressure = try entry["pressure_pa"]?.decimal(in: 0...200_000) ?? pressure
        hasFirmwareError = try entry.truth("firmware_error") ?? hasFirmwareError
        hasClockError = try entry.truth("clock_error") ?? hasClockError
    }
}

/// The state of motion of an Estimote beacon, and the duration of that state.
struct MotionState: Hashable, Sendable {
    var isMoving = false
    /// The acceleration along three axes, as encoded.
    var acceleration: [Int8] = [0, 0, 0]
    /// The duration of the current state of motion.
    var current = Duration.zero
    /// The duration of the previous state of motion.
    var previous = Duration.zero

    var axes: [UInt8] { acceleration.map { UInt8(bitPattern: $0) } }

    /// A duration as six bits for the number and two for its unit: s, min, h, or days up to `days`, above that weeks
    /// plus 32.
    func byte(of duration: Duration, days most: Int64) -> UInt8 {
        let seconds = duration.nanoseconds / 1_000_000_000
        let units: [(length: Int64, end: Int64)] = [(1, 60), (60, 3600), (3600, 86_400)]
        for (number, unit) in units.enumerated() where seconds < unit.end {
            return UInt8(truncatingIfNeeded: number) << 6 | UInt8(clamping: seconds / unit.length)
        }
        let number = seconds / 86_400 <= most ? seconds / 86_400 : min(seconds / 604_800 + 32, 63)
        return 0xC0 | UInt8(clamping: number)
    }

    mutating func read(_ entry: inout BeaconEntry) throws(YAMLProblem) {
        isMoving = try entry.truth("moving") ?? isMoving
        acceleration = try entry["acceleration"]?.numbers(3) ?? acceleration
        current = try entry["motion_s"]?.seconds(upTo: 18_748_800) ?? current
        previous = try entry["previous_motion_s"]?.seconds(upTo: 18_748_800) ?? previous
    }
}

extension FrameName { static let estimoteTelemetry = FrameName("estimote-telemetry") }
