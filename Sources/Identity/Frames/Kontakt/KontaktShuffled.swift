/// Kontakt.io's secure profile, shuffled (beacon-frames.md, Kontakt), service FE6A. Namespace and instance
/// change, and only the maker's cloud can resolve them:
///
///     0  6  `KontaktProfile`
///     6  10 namespace
///     16 6  instance
public struct KontaktShuffled: Equatable, Sendable {
    /// Model, version, battery and power.
    public let profile: KontaktProfile
    /// Ten bytes that change.
    public let namespace: [UInt8]
    /// Six bytes that change.
    public let instance: [UInt8]

    /// Parses the frame; throws if it is short or begins differently.
    public init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .kontaktShuffled)
        profile = try KontaktProfile(parsing: &reader, after: 0x01)
        namespace = try reader.bytes("namespace", 10)
        instance = try reader.bytes("instance", 6)
    }
}
