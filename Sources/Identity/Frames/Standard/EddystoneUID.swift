/// Eddystone UID (beacon-frames.md, Eddystone), service FEAA:
///
///     0  1  00
///     1  1  power at 0 m in dBm, signed
///     2  10 namespace
///     12 6  instance
///     18 2  reserved; some beacons omit it
public struct EddystoneUID: Equatable, Sendable {
    /// In dBm, at 0 m.
    public let power: Int8
    /// The owner's group of beacons: ten bytes.
    public let namespace: [UInt8]
    /// The beacon in the group: six bytes.
    public let instance: [UInt8]

    /// Parses the frame; throws if it is short or begins differently.
    public init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .eddystoneUID)
        try reader.mark("frame type", 0x00)
        power = try reader.signed("power")
        namespace = try reader.bytes("namespace", 10)
        instance = try reader.bytes("instance", 6)
    }

    var facts: FrameFacts {
        let measuredPower = EddystonePower.atOneMetre(power)
        return FrameFacts(
            number: ProximityIdentity(
                .eddystone(namespace: namespace, instance: instance), measuredPower: measuredPower),
            measuredPower: measuredPower)
    }
}

/// The power in Eddystone frames.
enum EddystonePower {
    /// The power at 1 m for `power` dBm at 0 m: 41 dB less (Eddystone's specification, Tx Power).
    static func atOneMetre(_ power: Int8) -> Int8 { Int8(clamping: Int(power) - 41) }
}
