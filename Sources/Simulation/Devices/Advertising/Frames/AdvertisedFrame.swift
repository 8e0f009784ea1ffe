/// The content of one advert: the main structure, and those around it.
public struct AdvertisedFrame: Hashable, Sendable {
    /// Structures before it.
    public var before: [ADStructure]
    /// The structure that identifies the frame.
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

    /// The capacity of an advert or a scan response, in bytes (Core, Vol 6, Part B, 2.3.1).
    public static let room = 31

    /// The encoded frame.
    public var bytes: [UInt8] { (before + [main] + after).flatMap(\.bytes) }
}
