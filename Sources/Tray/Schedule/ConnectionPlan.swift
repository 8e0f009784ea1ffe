/// The permission for one attempt to connect.
public struct ConnectionPlan: Hashable, Sendable {
    /// How long an attempt lasts: past three seconds a beacon of one advert a second would have been heard, and had another
    /// chance, twice.
    static let firstLimit = Duration.seconds(3)
    /// How long an attempt lasts after one that came to nothing: as long as the kernel's own.
    static let laterLimit = Duration.seconds(4)

    /// Who may connect.
    public let unit: UnitNumber
    /// With what.
    public let adapter: AdapterNumber
    /// The time between two connection events, the same for all links of the adapter.
    public let interval: Duration
    /// How long the attempt may last.
    public let limit: Duration
    /// Whether no link to the unit has stood before.
    public let isFirst: Bool
}
