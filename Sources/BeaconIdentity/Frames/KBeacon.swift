import ByteCoding

extension AdvertisedState {
    /// KKM's frames under Eddystone's service or their own company number (beacon-frames.md, KBeacon).
    static func kBeacon(_ bytes: [UInt8]) -> AdvertisedState? {
        switch bytes.first {
        case 0x22: kBeaconSystem(bytes)
        case 0x21: kBeaconSensor(bytes)
        default: nil
        }
    }

    /// The system frame:
    ///
    ///     0  1  22
    ///     1  1  number of the model
    ///     2  1  battery in percent
    ///     3  6  address, in the order in which it is written
    ///     9  1  firmware, major
    ///     10 1  firmware, minor
    private static func kBeaconSystem(_ bytes: [UInt8]) -> AdvertisedState? {
        guard bytes.count >= 11 else { return nil }
        return AdvertisedState(BatteryCharge(percentByte: bytes[2]), version: "\(bytes[9]).\(bytes[10])")
    }

    /// The sensor frame of the first generation, which has 01 for its version and a mask of 8 bits after it, or of
    /// the second, which has a mask of 16 bits, big-endian. Bit 0 is the voltage in mV, big-endian, which comes first.
    private static func kBeaconSensor(_ bytes: [UInt8]) -> AdvertisedState? {
        var reader = ByteReader(bytes)
        guard (try? reader.bytes("frame type", 1)) != nil, (try? reader.bytes("version or mask", 1)) != nil,
            let mask: UInt8 = try? reader.integer("mask")
        else { return nil }
        // Both generations have bit 0 in the same byte.
        guard mask & 1 != 0,
            let voltage: UInt16 = try? reader.integer("voltage", .big)
        else { return nil }
        return AdvertisedState(BatteryCharge(voltage: voltage))
    }

    /// What the scan response has under 2080: battery in percent, of which anything above 100 means 100, then flags.
    static func kBeaconExtension(_ bytes: [UInt8]) -> AdvertisedState? {
        guard bytes.count > 2, let percent = bytes.first else { return nil }
        return AdvertisedState(BatteryCharge(percent: min(Int(percent), 100)))
    }
}
