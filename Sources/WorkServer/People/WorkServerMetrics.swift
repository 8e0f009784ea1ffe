import Tray
package import Work

/// Metrics of a work server's orders and stations, for Prometheus. Names and labels are only ever added.
package struct WorkServerMetrics: Hashable, Sendable {
    package struct Order: Hashable, Sendable {
        package var number: String
        /// Why it is held: a code; nil if it is not.
        package var heldCode: String?
        /// The expected number of units; nil for the listed number.
        package var expected: Int?
        package var waiting, claimed, expired, verified, failed: Int
        /// Number of results, and how many of them belong to an old claim or to no unit.
        package var results, late, unplanned: Int
    }

    package struct Station: Hashable, Sendable {
        package var name: String
        /// When it last sent a heartbeat, in seconds since 1970 by the work server's clock.
        package var seen: Double
        /// How many results waited then.
        package var waiting: Int
        /// Since when the oldest of them waited, in seconds since 1970 by the station's clock; nil for none.
        package var oldestWaiting: Double?
        /// How many of its results were permanently refused, and how many units it has claimed.
        package var refused, claims: Int
        /// How far its clock was ahead of the work server's, in seconds.
        package var clockAhead: Double
        package var catalogue: Int64?
        package var mayClaim: Bool
    }

    /// Number of orders by state; missing states have none.
    package var orderCounts: [OrderState: Int]
    package var orders: [Order]
    package var stations: [Station]
    package var catalogue: Int64?

    package init(orderCounts: [OrderState: Int], orders: [Order], stations: [Station], catalogue: Int64?) {
        (self.orderCounts, self.orders, self.stations) = (orderCounts, orders, stations)
        self.catalogue = catalogue
    }

    package var text: String { (orderFamilies + stationFamilies).map(\.text).joined() }

    private var orderFamilies: [MetricFamily] {
        var counts = MetricFamily("orders", .gauge, "Work orders, by state.")
        var units = MetricFamily("order_units", .gauge, "Units of an active order, by state.")
        var expected = MetricFamily("order_expected_units", .gauge, "Expected units of an order.")
        var held = MetricFamily("order_held", .gauge, "1 for a held order, with the code of the reason.")
        var results = MetricFamily(
            "order_results_total", .counter, "Results of an order, by standing.")
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
            for (status, count) in [
                ("current", order.results - order.late - order.unplanned), ("late", order.late),
                ("unplanned", order.unplanned),
            ] {
                results.add(count, ["order": order.number, "standing": status])
            }
        }
        var latest = MetricFamily("catalogue_version", .gauge, "The latest catalogue that was not recalled.")
        if let catalogue { latest.add(Double(catalogue)) }
        return [counts, units, expected, held, results, latest]
    }

    private var stationFamilies: [MetricFamily] {
        var seen = MetricFamily(
            "station_seen_timestamp_seconds", .gauge, "Time of a station's last heartbeat.")
        var waiting = MetricFamily(
            "station_waiting_results", .gauge, "Results waiting at a station, by its last heartbeat.")
        var oldest = MetricFamily(
            "station_oldest_waiting_timestamp_seconds", .gauge,
            "Since when a station's oldest waiting result waits.")
        var refused = MetricFamily(
            "station_refused_results_total", .counter, "Results of a station that were permanently refused.")
        var claims = MetricFamily("station_claimed_units", .gauge, "Units that a station has claimed.")
        var ahead = MetricFamily(
            "station_clock_ahead_seconds", .gauge, "How far a station's clock is ahead of the work server's.")
        var catalogue = MetricFamily(
            "station_catalogue_version", .gauge, "The catalogue that a station uses.")
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

extension WorkServerAdmin {
    package func metrics() async throws(WorkError) -> WorkServerMetrics {
        let during = "reading metrics"
        let states = try await session.run(
            "SELECT state, count(*) AS orders FROM beacon_dfu.orders GROUP BY state", during: during)
        let catalogue = try await session.run(
            "SELECT max(version) AS version FROM beacon_dfu.catalogues WHERE recall IS NULL", during: during)
        let (counts, latest) = try reading { () throws(PostgresError) in
            var counts: [OrderState: Int] = [:]
            // Ignores states of a later work server.
            for row in states {
                if let state = OrderState(rawValue: try row.text("state")) {
                    counts[state] = try row.count("orders")
                }
            }
            return (counts, try catalogue.only(during).integerIfAny("version"))
        }
        let orders = try await orders(most: 1000).filter { ![.done, .cancelled].contains($0.order.state) }
        return WorkServerMetrics(
            orderCounts: counts, orders: orders.map(WorkServerMetrics.Order.init),
            stations: try await stations().map(WorkServerMetrics.Station.init), catalogue: latest)
    }
}

extension WorkServerMetrics.Order {
    init(_ order: OrderSummary) {
        self.init(
            number: order.order.number,
            heldCode: order.order.state == .held
                ? order.order.heldReason?.split(separator: ":").first.map(String.init) : nil,
            expected: order.order.expected, waiting: order.waiting, claimed: order.claimed,
            expired: order.expired, verified: order.verified, failed: order.failed, results: order.results,
            late: order.late, unplanned: order.unplanned)
    }
}

extension WorkServerMetrics.Station {
    init(_ station: StationSummary) {
        self.init(
            name: station.name, seen: Double(station.seen.milliseconds) / 1000, waiting: station.waiting,
            oldestWaiting: station.oldestWaiting.map { Double($0.milliseconds) / 1000 },
            refused: station.refused, claims: station.claims, clockAhead: station.clockAhead / .seconds(1),
            catalogue: station.catalogue, mayClaim: station.mayNotClaim == nil)
    }
}

/// A metric with its values, in Prometheus' text format, version 0.0.4.
struct MetricFamily: Hashable, Sendable {
    /// Whether the value varies or only grows.
    enum Kind: String, Sendable { case gauge, counter }

    struct Sample: Hashable, Sendable {
        let labels: [(name: String, value: String)]
        let value: Double

        static func == (one: Sample, other: Sample) -> Bool { one.text == other.text }
        func hash(into hasher: inout Hasher) { hasher.combine(text) }

        var text: String {
            let pairs = labels.map { "\($0.name)=\"\(MetricFamily.escaped($0.value))\"" }
            let number = value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
            return (pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}") + " \(number)\n"
        }
    }

    let name: String
    let kind: Kind
    let help: String
    var samples: [Sample] = []

    init(_ name: String, _ kind: Kind, _ help: String) {
        (self.name, self.kind, self.help) = ("beacon_dfu_" + name, kind, help)
    }

    mutating func add(_ value: Double, _ labels: KeyValuePairs<String, String> = [:]) {
        samples.append(Sample(labels: labels.map { ($0.key, $0.value) }, value: value))
    }

    mutating func add(_ value: Int, _ labels: KeyValuePairs<String, String> = [:]) {
        add(Double(value), labels)
    }

    /// The metric's lines; empty without values.
    var text: String {
        samples.isEmpty
            ? ""
            : "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
                + samples.map { name + $0.text }.joined()
    }

    /// An escaped label value: names are user input.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
