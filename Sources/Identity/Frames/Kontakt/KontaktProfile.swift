/// The common beginning of both forms of Kontakt.io's secure profile (beacon-frames.md, Kontakt), service FE6A:
///
///     0  1  01 shuffled, 02 plain
///     1  1  number of the model
///     2  1  firmware, major
///     3  1  firmware, minor
///     4  1  battery in percent
///     5  1  transmission power in dBm, signed
package struct KontaktProfile: Equatable, Sendable {
    /// The model's number.
    package let modelNumber: UInt8
    /// Major and minor, decimal.
    package let version: String
    /// 0 to 100.
    package let percent: Int
    /// In dBm.
    package let txPower: Int8

    init(parsing reader: inout FrameReader, after identifier: UInt8) throws(FrameError) {
        try reader.mark("identifier", identifier)
        modelNumber = try reader.integer("model")
        let major: UInt8 = try reader.integer("firmware, major")
        version = "\(major).\(try reader.integer("firmware, minor", as: UInt8.self))"
        percent = min(Int(try reader.integer("battery", as: UInt8.self)), 100)
        txPower = try reader.signed("transmission power")
    }

    var facts: FrameFacts {
        FrameFacts(
            modelNumber: Int(modelNumber), version: version, charge: BatteryCharge(percent: percent),
            txPower: Int(txPower))
    }
}

/// Kontakt.io's secure profile, shuffled (beacon-frames.md, Kontakt), service FE6A. Namespace and instance
/// change, and only the maker's cloud can resolve them:
///
///     0  6  `KontaktProfile`
///     6  10 namespace
///     16 6  instance
package struct KontaktShuffled: Equatable, Sendable {
    /// Model, version, battery and power.
    package let profile: KontaktProfile
    /// Ten bytes that change.
    package let namespace: [UInt8]
    /// Six bytes that change.
    package let instance: [UInt8]

    /// Parses the frame; throws if it is short or begins differently.
    package init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .kontaktShuffled)
        profile = try KontaktProfile(parsing: &reader, after: 0x01)
        namespace = try reader.bytes("namespace", 10)
        instance = try reader.bytes("instance", 6)
    }
}

/// Kontakt.io's secure profile, plain (beacon-frames.md, Kontakt), service FE6A:
///
///     0  6  `KontaktProfile`
///     6  n  unique id, ASCII
package struct KontaktPlain: Equatable, Sendable {
    /// Model, version, battery and power.
    package let profile: KontaktProfile
    /// As printed on the beacon.
    package let id: String

    /// Parses the frame; throws if it is short, begins differently, or has an unprintable id.
    package init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .kontaktPlain)
        profile = try KontaktProfile(parsing: &reader, after: 0x02)
        id = try reader.text("unique id", reader.remaining)
    }

    var facts: FrameFacts {
        var facts = profile.facts
        facts.id = id
        return facts
    }
}
