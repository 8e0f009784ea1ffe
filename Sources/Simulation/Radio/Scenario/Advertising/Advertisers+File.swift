import Bluetooth
import Bytes

extension FeasycomAdvertiser {
    /// Reads the keys that only Feasycom beacons have.
    init(reading entry: inout BeaconEntry) throws(YAMLProblem) {
        try self.init(readingParts: &entry)
        needsPIN = try entry.truth("pin") ?? needsPIN
    }

    /// Reads the hardware and the installed version.
    init(readingParts entry: inout BeaconEntry) throws(YAMLProblem) {
        self.init(address: entry.address)
        model = try entry.number("model") ?? model
        version = try entry.number("version") ?? version
        battery = try entry.number("battery") ?? battery
        if try entry.truth("external_power") ?? false { battery = Self.externalPower }
        guard let list = try entry["features"]?.list() else { return }
        features = []
        for value in list {
            features.insert(
                try value.choice(of: [
                    "led": Features.led, "buzzer": .buzzer, "g-sensor": .gSensor, "button": .button,
                ]))
        }
    }
}

extension KontaktAdvertiser {
    /// Reads the keys that only Kontakt beacons have.
    init(reading entry: inout BeaconEntry) throws(YAMLProblem) {
        let format = try entry.choice("format", of: Format.allCases.named) ?? .classic
        self.init(address: entry.address, format)
        if let value = entry["id"] {
            id = try value.text()
            guard (1...12).contains(id.utf8.count), id.utf8.allSatisfy({ $0 < 0x80 }) else {
                throw value.problem("an id must have 1 to 12 ASCII characters")
            }
        }
        model = try entry.number("model") ?? model
        version = try entry["version"]?.twoParts() ?? version
        battery = try entry.number("battery") ?? battery
        txPower = try entry.number("tx_power") ?? txPower
        isMoving = try entry.truth("moving") ?? isMoving
        locksOut = try entry.truth("locks_out")
        if let list = try entry["records"]?.list() {
            var records: [[UInt8]] = []
            for value in list { records.append(try value.bytes()) }
            self.records = records
        }
    }
}

extension EstimoteAdvertiser {
    /// Reads the keys of Estimote's telemetry.
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

extension NearableAdvertiser {
    /// Reads the keys of Estimote's stickers.
    init(reading entry: inout BeaconEntry) throws(YAMLProblem) {
        self.init(address: entry.address)
        id = try entry["id"]?.bytes(8) ?? id
        hardware = try entry.number("hardware") ?? hardware
        version = try entry.number("version") ?? version
        try motion.read(&entry)
        isUnderLoad = try entry.truth("under_load") ?? isUnderLoad
    }
}

extension MotionState {
    fileprivate mutating func read(_ entry: inout BeaconEntry) throws(YAMLProblem) {
        isMoving = try entry.truth("moving") ?? isMoving
        acceleration = try entry["acceleration"]?.numbers(3) ?? acceleration
        current = try entry["motion_s"]?.seconds(upTo: 18_748_800) ?? current
        previous = try entry["previous_motion_s"]?.seconds(upTo: 18_748_800) ?? previous
    }
}

extension ASensorAdvertiser {
    /// Reads the keys that only AprilBrother beacons have.
    init(reading entry: inout BeaconEntry) throws(YAMLProblem) {
        self.init(address: entry.address)
        version = try entry.number("version") ?? version
        battery = try entry.number("battery") ?? battery
        isMoving = try entry.truth("moving") ?? isMoving
    }
}
