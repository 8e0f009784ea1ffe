import BluetoothTypes
import ByteCoding
import FBeacon

extension AdvertisedState {
    /// Feasycom's frame, under FFF0 (beacon-frames.md, Feasycom):
    ///
    ///     0  1  number of the model
    ///     1  2  version of the firmware, big-endian
    ///     3  1  features
    ///     4  6  address, in the order in which it is written
    ///     10 1  battery in percent; 65 is external power
    ///
    /// Some announce a byte less, so that the battery is what is `left` after all structures. Others use FFF0 too: the
    /// frame has to name a known beacon, or the address that it came from.
    static func feasycom(
        _ bytes: [UInt8], _ left: [UInt8], _ address: DeviceAddress
    ) -> AdvertisedState? {
        guard (10...11).contains(bytes.count) else { return nil }
        let battery = bytes.count == 11 ? bytes[10] : left.count == 1 ? left[0] : nil
        guard battery ?? 0 <= 0x65,
            ModelNumber(rawValue: UInt16(bytes[0])).beacon != nil
                || address.kind == .public && address.bytes == Array(bytes[4..<10])
        else { return nil }
        let charge =
            battery == 0x65
            ? BatteryCharge(isExternal: true)
            : battery.map(BatteryCharge.init(percentByte:)) ?? BatteryCharge()
        return AdvertisedState(charge, version: "\(UInt16(bytes[1]) << 8 | UInt16(bytes[2]))")
    }
}
