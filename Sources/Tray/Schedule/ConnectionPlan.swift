/// Permission for one connection attempt.
public struct ConnectionPlan: Hashable, Sendable {
    /// Time limit of a connection attempt. Within three seconds, a beacon with one advert a second is heard and has two
    /// more chances.
    static let firstLimit = Duration.seconds(3)
    /// Time limit after a failed connection attempt: the kernel's own.
    static let laterLimit = Duration.seconds(4)

    /// The unit to connect to.
    public let unit: UnitNumber
    /// The adapter to connect with.
    public let adapter: AdapterNumber
    /// The time between two connection events, the same for all links of the adapter.
    public let interval: Duration
    /// Time limit of the attempt.
    public let limit: Duration
    /// Whether the unit has had no link before.
    public let isFirst: Bool
}
