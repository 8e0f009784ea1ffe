package import UpdateModel

/// KKM's scan response data under 2080 (beacon-frames.md, KBeacon):
///
///     0  1  battery in percent
///     1  1  flags
///     2  n  by the flags: with 04 the iBeacon's major and minor, big-endian; with none of them and 01 first, the last
///           three bytes of an address that begins with BC:57:29
package struct KKMExtended: FrameFormat {
    package static let kind = FrameKind("kkm-extended", of: .kkm)
    package static let places: [FramePlace] = [.serviceData(0x2080)]

    package let percent: Int
    package let flags: UInt8
    package let major: UInt16?
    package let minor: UInt16?
    package let address: String?

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        percent = try reader.percent("battery")
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

    package var facts: FrameFacts {
        FrameFacts(
            id: address, charge: BatteryCharge(percent: percent),
            majorAndMinor: major.flatMap { major in minor.map { MajorAndMinor(major: major, minor: $0) } },
            isSecondGeneration: address != nil)
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
package struct KKMSystem: FrameFormat {
    package static let kind = FrameKind("kkm-system", of: .kkm)
    package static let places: [FramePlace] = [.serviceData(0xFEAA, 0x22), .manufacturer(0x0A53, 0x22)]

    /// The first three bytes of the public addresses of newer beacons.
    static let prefix: [UInt8] = [0xBC, 0x57, 0x29]

    package let modelNumber: UInt8
    package let percent: Int
    package let address: String
    package let version: String

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        try reader.mark("frame type", 0x22)
        modelNumber = try reader.integer("model")
        percent = try reader.percent("battery")
        address = try reader.address("address")
        version = try reader.version()
    }

    package var facts: FrameFacts {
        FrameFacts(
            modelNumber: Int(modelNumber), id: address, version: version,
            charge: BatteryCharge(percent: percent), isSecondGeneration: true)
    }
}

/// KKM's encrypted sensor frame (beacon-frames.md, KBeacon), service FEAA or company 0A53. It is recognised,
/// never decrypted:
///
///     0  1  06
///     1  2  mask, big-endian
///     3  16 encrypted
///     19 4  Unix time, big-endian
package struct KKMEncryptedSensor: FrameFormat {
    package static let kind = FrameKind("kkm-encrypted-sensor", of: .kkm)
    package static let places: [FramePlace] = [.serviceData(0xFEAA, 0x06), .manufacturer(0x0A53, 0x06)]

    package let mask: UInt16
    package let encrypted: [UInt8]
    package let unixTime: UInt32

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        try reader.mark("frame type", 0x06)
        mask = try reader.integer("mask")
        encrypted = try reader.bytes("encrypted values", 16)
        unixTime = try reader.integer("time")
    }

    package var facts: FrameFacts { FrameFacts(isSecondGeneration: true) }
}

/// KKM's EBeacon (beacon-frames.md, KBeacon), company 0A53: an iBeacon whose UUID is encrypted. It is
/// recognised, never decrypted:
///
///     0  1  03
///     1  1  length
///     2  16 encrypted UUID
///     18 4  Unix time, big-endian
///     22 1  power
package struct KKMEBeacon: FrameFormat {
    package static let kind = FrameKind("kkm-ebeacon", of: .kkm)
    package static let places: [FramePlace] = [.manufacturer(0x0A53, 0x03)]

    package let encrypted: [UInt8]
    package let unixTime: UInt32

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        try reader.mark("frame type", 0x03)
        _ = try reader.bytes("length", 1)
        encrypted = try reader.bytes("encrypted UUID", 16)
        unixTime = try reader.integer("time")
        _ = try reader.bytes("power", 1)
    }

    package var facts: FrameFacts { FrameFacts(isSecondGeneration: true) }
}
