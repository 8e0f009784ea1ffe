package import UpdateModel

/// The common beginning of both forms of Kontakt.io's secure profile (beacon-frames.md, Kontakt), service FE6A:
///
///     0  1  01 shuffled, 02 plain
///     1  1  number of the model
///     2  1  firmware, major
///     3  1  firmware, minor
///     4  1  battery in percent
///     5  1  transmission power in dBm, signed
package struct KontaktProfile: Equatable, Sendable {
    package let modelNumber: UInt8
    package let version: String
    package let percent: Int
    package let txPower: Int8

    init(parsing reader: inout FrameReader, after identifier: UInt8) throws(FrameError) {
        try reader.mark("identifier", identifier)
        modelNumber = try reader.integer("model")
        version = try reader.version()
        percent = try reader.percent("battery")
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
package struct KontaktShuffled: FrameFormat {
    package static let kind = FrameKind("kontakt-shuffled", of: .kontakt)
    package static let places: [FramePlace] = [.serviceData(0xFE6A, 0x01)]

    package let profile: KontaktProfile
    package let namespace: [UInt8]
    package let instance: [UInt8]

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        profile = try KontaktProfile(parsing: &reader, after: 0x01)
        namespace = try reader.bytes("namespace", 10)
        instance = try reader.bytes("instance", 6)
    }

    package var facts: FrameFacts { profile.facts }
}

/// Kontakt.io's secure profile, plain (beacon-frames.md, Kontakt), service FE6A:
///
///     0  6  `KontaktProfile`
///     6  n  unique id, ASCII
package struct KontaktPlain: FrameFormat {
    package static let kind = FrameKind("kontakt-plain", of: .kontakt)
    package static let places: [FramePlace] = [.serviceData(0xFE6A, 0x02)]

    package let profile: KontaktProfile
    package let id: String

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        profile = try KontaktProfile(parsing: &reader, after: 0x02)
        id = try reader.text("unique id", reader.remaining)
    }

    package var facts: FrameFacts {
        var facts = profile.facts
        facts.id = id
        return facts
    }
}

extension Maker {
    package static let kontakt = Maker(
        "kontakt", "Kontakt.io",
        vendorWay: "update it with Kontakt.io's application, signed in with the account that owns it")
}

extension Family {
    package static let kontakt: Family = Family(
        "kontakt", of: .kontakt, [.version, .battery, .id], otherwise: [.version, .battery],
        whole: { !$0.frames.contains(KontaktShuffled.kind) })
}
