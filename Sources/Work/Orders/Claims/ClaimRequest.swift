/// A station's request for units to work on.
public struct ClaimRequest: Hashable, Sendable {
    /// A beacon in range of the station, by every key under which it may be listed: its address with its type
    /// (`F0:0D:BE:AC:01:00/random`), and `id:` with the vendor's id in lower case.
    public struct Beacon: Hashable, Sendable {
        /// Its keys, the most reliable first.
        public let keys: [String]

        /// The beacon of `keys`.
        public init(_ keys: [String]) { self.keys = keys }
    }

    /// The order's number.
    public var order: String
    /// The beacons in range, preferred first; nil claims the next units of the order, for example for a tray that is
    /// prepared for a site without a network.
    public var beacons: [Beacon]?
    /// The most units to grant.
    public var most: Int
    /// The requested length of the lease.
    public var lease: Duration

    /// A request for units of `order`.
    public init(_ order: String, beacons: [Beacon]?, most: Int, for lease: Duration) {
        (self.order, self.beacons, self.most, self.lease) = (order, beacons, most, lease)
    }
}
