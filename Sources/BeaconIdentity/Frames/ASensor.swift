extension AdvertisedState {
    /// AprilBrother's ASensor, company 00D2 beside the service FEF5 (beacon-frames.md, ASensor); offsets after the
    /// company:
    ///
    ///     0  6  address, in the order in which it is written
    ///     6  1  version of the firmware
    ///     7  7  temperature and motion
    ///     14 1  battery in percent
    ///     15 1  power at 1 m
    static func aSensor(_ bytes: [UInt8]) -> AdvertisedState? {
        guard bytes.count == 16 else { return nil }
        return AdvertisedState(BatteryCharge(percentByte: bytes[14]), version: "\(bytes[6])")
    }
}
