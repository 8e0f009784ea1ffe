/// Kontakt.io's secure profile, plain (beacon-frames.md, Kontakt), service FE6A:
///
///     0  6  `KontaktProfile`
///     6  n  unique id, ASCII
public struct KontaktPlain: Equatable, Sendable {
    /// Model, version, battery and power.
    public let profile: KontaktProfile
    /// As printed on the beacon.
    public let id: String

    /// Parses the frame; throws if it is short, begins differently, or has an unprintable id.
    public init(parsing bytes: [UInt8]) throws(FrameError) {
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
