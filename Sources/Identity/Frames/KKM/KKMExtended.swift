/// KKM's scan response data under 2080 (beacon-frames.md, KBeacon):
///
///     0  1  battery in percent
///     1  1  flags
///     2  n  by the flags: with 04 the iBeacon's major and minor, big-endian; with none of them and 01 first, the last
///           three bytes of an address that begins with BC:57:29
package struct KKMExtended: Equatable, Sendable {
    /// 0 to 100.
    package let percent: Int
    /// As sent.
    package let flags: UInt8
    /// The iBeacon's major.
    package let major: UInt16?
    /// The iBeacon's minor.
    package let minor: UInt16?
    /// As text.
    package let address: String?

    /// Parses the data; throws if it has fewer than three bytes. Declared but missing fields are nil.
    package init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .kkmExtended)
        percent = min(Int(try reader.integer("battery", as: UInt8.self)), 100)
        flags = try reader.integer("flags")
        guard reader.remaining > 0 else { throw reader.refusal("content", at: 2, "no data") }
        let hasNumbers = flags & 0x04 != 0 && reader.remaining >= 4
        major = hasNumbers ? try reader.integer("major") : nil
        minor = hasNumbers ? try reader.integer("minor") : nil
        guard flags == 0, reader.remaining >= 4, try reader.integer("content", as: UInt8.self) == 0x01 else {
            address = nil
            return
        }
        address = FrameReader.text(ofAddress: KKMSystem.prefix + (try reader.bytes("address", 3)))
    }

    var facts: FrameFacts {
        FrameFacts(
            id: address, charge: BatteryCharge(percent: percent),
            majorAndMinor: major.flatMap { major in minor.map { MajorAndMinor(major: major, minor: $0) } })
    }
}

/// KKM's system frame (beacon-frames.md, KBeacon), service FEAA or company 0A53. Only the second generation has it:
///
///     0  1  22
///     1  1  number of the model
///     2  1  battery in percent
///     3  6  address, in printed order
///     9  1  firmware, major
///     10 1  firmware, minor
package struct KKMSystem: Equatable, Sendable {
    /// The first three bytes of the public addresses of newer beacons.
    static let prefix: [UInt8] = [0xBC, 0x57, 0x29]

    /// The model's number; no list of names is published.
    package let modelNumber: UInt8
    /// 0 to 100.
    package let percent: Int
    /// As text.
    package let address: String
    /// Major and minor, decimal.
    package let version: String

    /// Parses the frame; throws if it is short or begins differently.
    package init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .kkmSystem)
        try reader.mark("frame type", 0x22)
        modelNumber = try reader.integer("model")
        percent = min(Int(try reader.integer("battery", as: UInt8.self)), 100)
        address = try reader.address("address")
        let major: UInt8 = try reader.integer("firmware, major")
        version = "\(major).\(try reader.integer("firmware, minor", as: UInt8.self))"
    }

    var facts: FrameFacts {
        FrameFacts(
            modelNumber: Int(modelNumber), id: address, version: version,
            charge: BatteryCharge(percent: percent))
    }
}

/// KKM's encrypted sensor frame (beacon-frames.md, KBeacon), service FEAA or company 0A53. It is recognised,
/// never decrypted:
///
///     0  1  06
///     1  2  mask, big-endian
///     3  16 encrypted
///     19 4  Unix time, big-endian
package struct KKMEncryptedSensor: Equatable, Sendable {
    /// The bit mask of its fields.
    package let mask: UInt16
    /// Sixteen bytes.
    package let encrypted: [UInt8]
    /// Seconds since 1970.
    package let unixTime: UInt32

    /// Parses the frame; throws if it is short or begins differently.
    package init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .kkmEncryptedSensor)
        try reader.mark("frame type", 0x06)
        mask = try reader.integer("mask")
        encrypted = try reader.bytes("encrypted values", 16)
        unixTime = try reader.integer("time")
    }
}

/// KKM's EBeacon (beacon-frames.md, KBeacon), company 0A53: an iBeacon whose UUID is encrypted. It is
/// recognised, never decrypted:
///
///     0  1  03
///     1  1  length
///     2  16 encrypted UUID
///     18 4  Unix time, big-endian
///     22 1  power
package struct KKMEBeacon: Equatable, Sendable {
    /// Sixteen bytes.
    package let encrypted: [UInt8]
    /// Seconds since 1970.
    package let unixTime: UInt32

    /// Parses the frame; throws if it is short or begins differently.
    package init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .kkmEBeacon)
        try reader.mark("frame type", 0x03)
        _ = try reader.bytes("length", 1)
        encrypted = try reader.bytes("encrypted UUID", 16)
        unixTime = try reader.integer("time")
        _ = try reader.bytes("power", 1)
    }
}
