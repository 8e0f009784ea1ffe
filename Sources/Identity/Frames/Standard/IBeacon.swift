package import Bluetooth

/// Apple's proximity beacon, company 004C (beacon-frames.md, iBeacon):
///
///     0  2  02 15
///     2  16 UUID, most significant byte first
///     18 2  major, big-endian
///     20 2  minor, big-endian
///     22 1  power at 1 m in dBm, signed
package struct IBeacon: Equatable, Sendable {
    /// Identifies the owner's beacons.
    package let uuid: BluetoothUUID
    /// The group.
    package let major: UInt16
    /// The beacon in the group.
    package let minor: UInt16
    /// In dBm, at 1 m.
    package let measuredPower: Int8

    /// Parses the frame; throws if it is short or begins differently.
    package init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .iBeacon)
        try reader.mark("type and length", 0x02, 0x15)
        let high: UInt64 = try reader.integer("UUID")
        uuid = BluetoothUUID(high: high, low: try reader.integer("UUID"))
        major = try reader.integer("major")
        minor = try reader.integer("minor")
        measuredPower = try reader.signed("measured power")
    }

    var facts: FrameFacts {
        FrameFacts(
            number: ProximityIdentity(
                .iBeacon(uuid: uuid, major: major, minor: minor), measuredPower: measuredPower),
            measuredPower: measuredPower)
    }
}
