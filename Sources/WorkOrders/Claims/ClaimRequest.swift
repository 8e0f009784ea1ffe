/// What a station asks to work at.
public struct ClaimRequest: Hashable, Sendable {
    /// A beacon that is in front of the station, by every key that it may be listed under: its address with its type
    /// (`F0:0D:BE:AC:01:00/random`), and `id:` with the vendor's id in lower case.
    public struct Beacon: Hashable, Sendable {
        /// Its keys, the surest first.
        public let keys: [String]

        /// The beacon of `keys`.
        public init(_ keys: [String]) { self.keys = keys }
    }

    /// The order's number.
    public var order: String
    /// Whom the station has before it, whom it would take first at the front; nil to take whoever is next in the order, as for a
    /// tray that is packed for somewhere without a network.
    public var beacons: [Beacon]?
    /// At most so many units.
    public var most: Int
    /// For so long.
    public var lease: Duration

    /// A request for units of `order`.
    public init(_ order: String, beacons: [Beacon]?, most: Int, for lease: Duration) {
        (self.order, self.beacons, self.most, self.lease) = (order, beacons, most, lease)
    }
}
