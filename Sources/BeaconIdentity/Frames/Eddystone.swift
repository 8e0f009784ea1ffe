import ByteCoding

extension AdvertisedState {
    /// Eddystone TLM, unencrypted (beacon-frames.md, Eddystone); offsets after the UUID:
    ///
    ///     0  1  20
    ///     1  1  version 00
    ///     2  2  battery in mV, big-endian; 0 is unknown
    ///     4  10 temperature, count of advertisements, time since power-on
    static func eddystone(_ bytes: [UInt8]) -> AdvertisedState? {
        var reader = ByteReader(bytes)
        guard bytes.count >= 14, bytes.starts(with: [0x20, 0x00]),
            (try? reader.bytes("frame type and version", 2)) != nil,
            let voltage: UInt16 = try? reader.integer("battery", .big)
        else { return nil }
        return AdvertisedState(BatteryCharge(voltage: voltage))
    }
}
