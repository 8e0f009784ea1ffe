package import UpdateModel

/// KKM's scan response data under 2080 (beacon-frames.md, KBeacon):
///
///     0  1  battery in percent
///     1  1  flags
///     2  n  with flag 04, the iBeacon's major and minor, big-endian; without any flag, 01 and then the last three
///           bytes of an address that begins with BC:57:29
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

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        try reader.mark("frame type", 0x06)
        _ = try reader.bytes("mask", 2)
        _ = try reader.bytes("encrypted values", 16)
        _ = try reader.bytes("time", 4)
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

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        try reader.mark("frame type", 0x03)
        _ = try reader.bytes("length", 1)
        _ = try reader.bytes("encrypted UUID", 16)
        _ = try reader.bytes("time", 4)
        _ = try reader.bytes("power", 1)
    }

    package var facts: FrameFacts { FrameFacts(isSecondGeneration: true) }
}

/// KKM's frame for measuring the angle of arrival (beacon-frames.md, KBeacon), company 0A53 or 000D. It is
/// recognised, but its values are not used:
///
///     0  1  04
///     1  1  bit 3: three bytes of acceleration follow, and nothing else
///     2  1  without bit 3: low three bits the channel, 1 to 3; high nibble the number of a power, 0 to 9
///     3  1  without bit 3: high nibble the battery in steps of 10 %
package struct KKMAOA: FrameFormat {
    package static let kind = FrameKind("kkm-aoa", of: .kkm)
    package static let places: [FramePlace] = [.manufacturer(0x0A53, 0x04), .manufacturer(0x000D, 0x04)]

    package let hasAcceleration: Bool

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        try reader.mark("frame type", 0x04)
        hasAcceleration = try reader.integer("kind", as: UInt8.self) & 0x08 != 0
        guard !hasAcceleration else {
            _ = try reader.bytes("acceleration", 3)
            return
        }
        let air: UInt8 = try reader.integer("channel and power")
        guard (1...3).contains(air & 7), air >> 4 <= 9 else {
            throw reader.refusal("channel and power", at: 2, "\(air) is not valid")
        }
        guard try reader.integer("battery", as: UInt8.self) >> 4 <= 10 else {
            throw reader.refusal("battery", at: 3, "above 100 %")
        }
    }

    package var facts: FrameFacts { FrameFacts(isSecondGeneration: true) }

    /// Other makers use company 000D too, so under it only frames count whose values can be checked.
    package static func facts(in advert: FrameSource) throws(FrameError) -> FrameFacts? {
        guard advert.company == 0x000D else { return try KKMAOA(parsing: advert.bytes).facts }
        return (try? KKMAOA(parsing: advert.bytes)).flatMap { $0.hasAcceleration ? nil : $0.facts }
    }
}
