package import UpdateModel

/// The common beginning of both forms of Kontakt.io's secure profile (beacon-frames.md, Kontakt), service FE6A:
///
///     0  1  01 shuffled, 02 plain
///     1  1  number of the model
///     2  1  firmware, major
///     3  1  firmware, minor
///     4  1  battery in percent
///     5  1  transmission power in dBm, signed
private enum KontaktProfile {
    static func facts(in reader: inout FrameReader, after identifier: UInt8) throws(FrameError) -> FrameFacts
    {
        try reader.mark("identifier", identifier)
        return FrameFacts(
            modelNumber: Int(try reader.integer("model", as: UInt8.self)), version: try reader.version(),
            charge: BatteryCharge(percent: try reader.percent("battery")),
            txPower: Int(try reader.signed("transmission power")))
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

    package let facts: FrameFacts

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        facts = try KontaktProfile.facts(in: &reader, after: 0x01)
        _ = try reader.bytes("namespace", 10)
        _ = try reader.bytes("instance", 6)
    }
}

/// Kontakt.io's secure profile, plain (beacon-frames.md, Kontakt), service FE6A:
///
///     0  6  `KontaktProfile`
///     6  n  unique id, ASCII
package struct KontaktPlain: FrameFormat {
    package static let kind = FrameKind("kontakt-plain", of: .kontakt)
    package static let places: [FramePlace] = [.serviceData(0xFE6A, 0x02)]

    package let facts: FrameFacts

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        var facts = try KontaktProfile.facts(in: &reader, after: 0x02)
        facts.id = try reader.text("unique id", reader.remaining)
        self.facts = facts
    }
}

extension Maker {
    package static let kontakt = Maker(
        "kontakt", "Kontakt.io",
        vendorWay: "update it with Kontakt.io's application, signed in with the account that owns it",
        MakerSupport(
            "kontakt", title: "Kontakt.io",
            MakerSupport.vendorOnly(
                .proven([.document, .source, .simulated]), query: .proven([.document, .simulated])),
            gaps: [.account]))
}

extension Family {
    package static let kontakt: Family = Family(
        "kontakt", of: .kontakt, [.version, .battery, .id], otherwise: [.version, .battery],
        advertisesAllParts: { !$0.frames.contains(KontaktShuffled.kind) })
}
