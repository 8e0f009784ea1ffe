package import Bluetooth
package import UpdateModel

/// Apple's proximity beacon, company 004C (beacon-frames.md, iBeacon):
///
///     0  2  02 15
///     2  16 UUID, most significant byte first
///     18 2  major, big-endian
///     20 2  minor, big-endian
///     22 1  power at 1 m in dBm, signed
package struct IBeacon: FrameFormat {
    package static let kind = FrameKind("ibeacon", of: .iBeacon)
    package static let places: [FramePlace] = [.manufacturer(0x004C, 0x02, 0x15)]

    package let uuid: BluetoothUUID
    package let major: UInt16
    package let minor: UInt16
    package let measuredPower: Int8

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        try reader.mark("type and length", 0x02, 0x15)
        let high: UInt64 = try reader.integer("UUID")
        uuid = BluetoothUUID(high: high, low: try reader.integer("UUID"))
        major = try reader.integer("major")
        minor = try reader.integer("minor")
        measuredPower = try reader.signed("measured power")
    }

    package var facts: FrameFacts {
        FrameFacts(
            number: ProximityIdentity(
                .iBeacon(uuid: uuid, major: major, minor: minor), measuredPower: measuredPower),
            measuredPower: measuredPower)
    }
}
