import Tray
public import WorkOrders

/// What an engine is watched by: figures of its orders and stations, for Prometheus. Names and labels are only ever added.
public struct WorkServerMetrics: Hashable, Sendable {
    /// An order that is not over.
    public struct Order: Hashable, Sendable {
        /// Its number.
        public var number: String
        /// Why it is held: a code; nil where it is not.
        public var heldCode: String?
        /// How many units it wants; nil for as many as are listed.
        public var expected: Int?
        /// How many units it has, by state.
        public var waiting, claimed, expired, verified, failed: Int
        /// How many results it has, how many of them came under an old claim, and how many of no unit.
        public var results, late, unplanned: Int
    }

    /// A station.
    public struct Station: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// When it greeted last, in seconds since 1970 by the engine's clock.
        public var seen: Double
        /// How many results waited at it then.
        public var waiting: Int
        /// Since when the oldest of them did, in seconds since 1970 by the station's clock; nil for none.
        public var oldestWaiting: Double?
        /// How many of its results were refused for good, and how many units it has.
        public var refused, claims: Int
        /// How far its clock was ahead of the engine's, in seconds.
        public var clockAhead: Double
        /// The catalogue that it works by; nil for none.
        public var catalogue: Int64?
        /// Whether its program may claim.
        public var mayClaim: Bool
    }

    /// How many orders there are in each state; those that are not named have none.
    public var orderCounts: [OrderState: Int]
    /// The orders that are not over.
    public var orders: [Order]
    /// All stations.
    public var stations: [Station]
    /// The latest catalogue that was not withdrawn; nil for none.
    public var catalogue: Int64?

    /// The figures of an engine.
    public init(orderCounts: [OrderState: Int], orders: [Order], stations: [Station], catalogue: Int64?) {
        (self.orderCounts, self.orders, self.stations) = (orderCounts, orders, stations)
        self.catalogue = catalogue
    }

    /// All of them, in Prometheus' text format.
    public var text: String { (orderFamilies + stationFamilies).map(\.text).joined() }

    private var orderFamilies: [MetricFamily] {
        var counts = MetricFamily("orders", .gauge, "Work orders, by state.")
        var units = MetricFamily("order_units", .gauge, "Units of an order that is not over, by state.")
        var expected = MetricFamily("order_expected_units", .gauge, "Units that an order wants.")
        var held = MetricFamily("order_held", .gauge, "1 for an order that is held, and why.")
        var results = MetricFamily(
            "order_results_total", .counter, "Results of an order, by what they count as.")
        for state in OrderState.allCases { counts.add(orderCounts[state] ?? 0, ["state": state.rawValue]) }
        for order in orders {
            for (state, count) in [
                ("waiting", order.waiting), ("claimed", order.claimed), ("expired", order.expired),
                ("verified", order.verified), ("failed", order.failed),
            ] {
                units.add(count, ["order": order.number, "state": state])
            }
            if let wanted = order.expected { expected.add(wanted, ["order": order.number]) }
            if let code = order.heldCode { held.add(1, ["order": order.number, "code": code]) }
            for (standing, count) in [
                ("current", order.results - order.late - order.unplanned), ("late", order.late),
                ("unplanned", order.unplanned),
            ] {
                results.add(count, ["order": order.number, "standing": standing])
            }
        }
        var latest = MetricFamily("catalogue_version", .gauge, "The latest catalogue that was not recalled.")
        if let catalogue { latest.add(Double(catalogue)) }
        return [counts, units, expected, held, results, latest]
    }

    private var stationFamilies: [MetricFamily] {
        var seen = MetricFamily(
            "station_seen_timestamp_seconds", .gauge, "When a station told of itself last.")
        var waiting = MetricFamily(
            "station_waiting_results", .gauge, "Results that wait at a station, as it told last.")
        var oldest = MetricFamily(
            "station_oldest_waiting_timestamp_seconds", .gauge, "Since when the oldest of them waits.")
        var refused = MetricFamily(
            "station_refused_results_total", .counter, "Results of a station that were refused for good.")
        var claims = MetricFamily("station_claimed_units", .gauge, "Units that a station has.")
        var ahead = MetricFamily(
            "station_clock_ahead_seconds", .gauge, "How far a station's clock is ahead of the engine's.")
        var catalogue = MetricFamily(
            "station_catalogue_version", .gauge, "The catalogue that a station works by.")
        var mayClaim = MetricFamily(
            "station_may_claim", .gauge, "0 for a station whose program gets no work.")
        for station in stations {
            seen.add(station.seen, ["station": station.name])
            waiting.add(station.waiting, ["station": station.name])
            if let since = station.oldestWaiting { oldest.add(since, ["station": station.name]) }
            refused.add(station.refused, ["station": station.name])
            claims.add(station.claims, ["station": station.name])
            ahead.add(station.clockAhead, ["station": station.name])
            if let version = station.catalogue { catalogue.add(Double(version), ["station": station.name]) }
            mayClaim.add(station.mayClaim ? 1 : 0, ["station": station.name])
        }
        return [seen, waiting, oldest, refused, claims, ahead, catalogue, mayClaim]
    }
}
