/// When a file says that it was built.
public struct BuildMoment: Hashable, Sendable {
    /// Seconds since 1970 in UTC.
    public let seconds: UInt32
    /// Where the file says so.
    public let place: Finding.Place
    /// Whether releases of the same version are told apart by it.
    public let ordersReleases: Bool

    /// A moment as described.
    public init(_ seconds: UInt32, at place: Finding.Place, ordersReleases: Bool) {
        self.seconds = seconds
        self.place = place
        self.ordersReleases = ordersReleases
    }
}
