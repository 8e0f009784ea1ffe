/// What a beacon sends at once: one structure that matters, and what stands beside it.
public struct AdvertisedFrame: Hashable, Sendable {
    /// Structures before it.
    public var before: [ADStructure]
    /// The one that says what the frame is there for.
    public var main: ADStructure
    /// Structures after it.
    public var after: [ADStructure]

    /// A frame around `main`.
    public init(_ before: [ADStructure], _ main: ADStructure, _ after: [ADStructure] = []) {
        self.before = before
        self.main = main
        self.after = after
    }

    /// A frame of `main` alone.
    public init(_ main: ADStructure) { self.init([], main) }

    /// How much an advertisement, or a scan response, has room for (Core, Vol 6, Part B, 2.3.1).
    public static let room = 31

    /// As it travels.
    public var bytes: [UInt8] { (before + [main] + after).flatMap(\.bytes) }
}
