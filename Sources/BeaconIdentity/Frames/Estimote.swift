extension AdvertisedState {
    /// Subframe B of Estimote's telemetry, under FE9A (beacon-frames.md, Estimote):
    ///
    ///     0  1  low nibble 2, high nibble the version of the protocol
    ///     9  1  low two bits: 1 for subframe B
    ///     17 2  bits 2 to 15: battery in mV; all ones are unknown
    ///     19 1  from version 1 on: battery in percent; FF is unknown
    static func estimoteTelemetry(_ bytes: [UInt8]) -> AdvertisedState? {
        guard bytes.count >= 20, bytes[0] & 0x0F == 2, bytes[0] >> 4 <= 2, bytes[9] & 3 == 1 else {
            return nil
        }
        let voltage = Int(bytes[18]) << 6 | Int(bytes[17]) >> 2
        var charge = voltage == 0x3FFF ? BatteryCharge() : BatteryCharge(voltage: voltage)
        if bytes[0] >> 4 >= 1 { charge.update(with: BatteryCharge(percentByte: bytes[19])) }
        return AdvertisedState(charge)
    }

    /// Estimote's sticker, company 015D; offsets after the company:
    ///
    ///     0  1  01
    ///     1  8  identifier
    ///     9  1  version of the hardware
    ///     10 1  version of the firmware
    ///     12 2  high nibble, and the low six bits of the second: voltage in 3.6 V / 1023
    static func nearable(_ bytes: [UInt8]) -> AdvertisedState? {
        guard bytes.count >= 14, bytes[0] == 1 else { return nil }
        let raw = Int(bytes[13] & 0x3F) << 4 | Int(bytes[12] >> 4)
        return AdvertisedState(BatteryCharge(voltage: raw * 3600 / 1023), version: "\(bytes[10])")
    }
}
