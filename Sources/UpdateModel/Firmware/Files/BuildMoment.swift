/// The build time in a file.
public struct BuildMoment: Hashable, Sendable {
    /// Seconds since 1970 in UTC.
    public let seconds: UInt32
    /// The field that contains it.
    public let place: Finding.Place
    /// Whether it orders releases of the same version.
    public let ordersReleases: Bool

    /// The build time `seconds`, read at `place`.
    public init(_ seconds: UInt32, at place: Finding.Place, ordersReleases: Bool) {
        self.seconds = seconds
        self.place = place
        self.ordersReleases = ordersReleases
    }
}
