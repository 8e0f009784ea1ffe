import Bluetooth
import Bytes

/// The battery state that simulated beacons advertise (beacon-frames.md).
enum BatteryFrames {
    /// Eddystone TLM, unencrypted: the battery in mV, no temperature, all counters 0.
    static func telemetry(_ millivolts: UInt16) -> AdvertisingData.Element {
        var writer = ByteWriter([0x20, 0x00])
        writer.integer(millivolts, .big)
        writer.integer(UInt16(0x8000), .big)
        writer.append([UInt8](repeating: 0, count: 8))
        return .serviceData(BluetoothUUID(0xFEAA), writer.bytes)
    }

    /// AprilBrother's frame, which is advertised with the update service: address, version, motion, battery in percent,
    /// power.
    static func aSensor(_ percent: UInt8, _ address: DeviceAddress, version: UInt8) -> AdvertisingData.Element
    {
        let motion: [UInt8] = [25, 0, 0, 0, 0x40, 0, 0]
        return .manufacturer(0x00D2, address.bytes + [version] + motion + [percent, 0xC5])
    }
}
