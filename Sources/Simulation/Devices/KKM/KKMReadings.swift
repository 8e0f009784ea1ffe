import Bytes

/// The sensor values of a KBeacon; nil for sensors that it does not have.
///
///     0  2  mask, big-endian: which of the fields below (bits in hexadecimal) are present, in this order
///     -  -  0001 mV · 0002 °C · 0004 % · 0008 x, y, z · 0010 alarm · 0020 PIR · 0040 lux · 0080 age, VOC, NOx
///           · 0100 nothing · 0200 age, CO2 · 0400 records
struct KKMReadings: Hashable, Sendable {
    /// Humidity in percent. The second generation encodes temperatures beyond 127 °C as negative humidity.
    var humidity: Double?
    /// The acceleration along x, y and z, in mg.
    var acceleration: [Int16]?
    /// The cut-off or tamper alarm.
    var alarm: UInt8?
    /// The motion detector (PIR).
    var motion: UInt8?
    /// Light in lux.
    var light: UInt16?
    /// The age of the values in units of 10 s, VOC, NOx.
    var organics: [UInt16]?
    /// The age of the value in units of 10 s, CO2 in ppm.
    var carbonDioxide: [UInt16]?
    /// The number of temperature and humidity records that were not fetched yet.
    var records: UInt16?
    /// The mask of the fields that are sent, whether or not they have values; nil to send the fields with values.
    var mask: UInt16?

    func mask(_ standard: StandardIdentity, _ generation: Int) -> UInt16 {
        let present = fields(standard).reduce(UInt16(0)) { $1.value == nil ? $0 : $0 | $1.bit }
        // The first generation sets this bit for a field that it calls a version.
        return mask ?? (generation == 1 ? present | 0x0100 : present)
    }

    func payload(_ standard: StandardIdentity, _ generation: Int) -> [UInt8] {
        let mask = mask(standard, generation)
        let sent = fields(standard).filter { mask & $0.bit != 0 }
        return mask.bytes(.big) + sent.flatMap { $0.value ?? [UInt8](repeating: 0, count: $0.width) }
    }

    private func fields(_ standard: StandardIdentity) -> [(bit: UInt16, width: Int, value: [UInt8]?)] {
        func aged(_ values: [UInt16]?) -> [UInt8]? {
            values.map { [UInt8(clamping: $0.first ?? 0)] + $0.dropFirst().flatMap { $0.bytes(.big) } }
        }
        return [
            (0x0001, 2, standard.batteryMillivolts.bytes(.big)),
            (0x0002, 2, standard.temperature.map { [UInt8](fixed: $0) }),
            (0x0004, 2, humidity.map { [UInt8](fixed: $0) }),
            (0x0008, 6, acceleration.map { $0.flatMap { UInt16(bitPattern: $0).bytes(.big) } }),
            (0x0010, 1, alarm.map { [$0] }), (0x0020, 1, motion.map { [$0] }),
            (0x0040, 2, light.map { $0.bytes(.big) }), (0x0080, 5, aged(organics)),
            (0x0200, 3, aged(carbonDioxide)), (0x0400, 3, records.map { [0] + $0.bytes(.big) }),
        ]
    }

    mutating func read(_ entry: inout BeaconEntry) throws(YAMLProblem) {
        humidity = try entry["humidity"]?.decimal(in: -127...127)
        acceleration = try entry["acceleration"]?.numbers(3)
        alarm = try entry.number("alarm")
        motion = try entry.number("pir")
        light = try entry.number("light")
        organics = try entry["voc"]?.numbers(3)
        carbonDioxide = try entry["co2"]?.numbers(2)
        records = try entry.number("records")
        mask = try entry.number("mask")
    }
}
