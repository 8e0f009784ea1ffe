/// The right of one station to work on a unit. A later claim of the same unit has a higher epoch.
package struct WorkClaim: Hashable, Sendable {
    package let order: String
    /// The key of the unit in the order.
    package let key: String
    /// The number of the claim: from 1, incremented with each claim of the unit.
    package let epoch: Int64

    package init(order: String, key: String, epoch: Int64) {
        (self.order, self.key, self.epoch) = (order, key, epoch)
    }
}

package enum Renewal: Hashable, Sendable {
    /// The station keeps the unit for this long, counted from its request; nil for a claim without end.
    case renewed(for: Duration?)
    case lost
}

package struct ClaimRequest: Hashable, Sendable {
    /// A beacon in range of the station, by every key under which an order may list it: its address with its type
    /// (`F0:0D:BE:AC:01:00/random`), and `id:` with the vendor's id in lower case.
    package struct Beacon: Hashable, Sendable {
        /// The beacon's keys, the most reliable first.
        package let keys: [String]

        package init(_ keys: [String]) { self.keys = keys }
    }

    package var order: String
    /// The beacons in range, preferred first; nil claims the next units of the order, for example for a tray that is
    /// prepared for a site without a network.
    package var beacons: [Beacon]?
    /// The most units to grant.
    package var most: Int
    package var lease: Duration

    package init(_ order: String, beacons: [Beacon]?, most: Int, for lease: Duration) {
        (self.order, self.beacons, self.most, self.lease) = (order, beacons, most, lease)
    }
}
