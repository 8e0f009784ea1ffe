import Tray
package import Work

/// Metrics of a work server's orders and stations, for Prometheus. Names and labels are only ever added.
package struct WorkServerMetrics: Sendable {
    /// Number of orders by state; missing states have none.
    let orderCounts: [OrderState: Int]
    /// The active ones.
    let orders: [OrderSummary]
    let stations: [StationSummary]
    let catalogue: Int64?

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
            let number = order.order.number
            for (state, count) in [
                ("waiting", order.waiting), ("claimed", order.claimed), ("expired", order.expired),
                ("verified", order.verified), ("failed", order.failed),
            ] {
                units.add(count, ["order": number, "state": state])
            }
            if let wanted = order.order.expected { expected.add(wanted, ["order": number]) }
            if let code = order.heldCode { held.add(1, ["order": number, "code": code]) }
            for (status, count) in [
                ("current", order.results - order.late - order.unplanned), ("late", order.late),
                ("unplanned", order.unplanned),
            ] {
                results.add(count, ["order": number, "standing": status])
            }
        }
        var latest = MetricFamily("catalogue_version", .gauge, "The latest catalogue that was not recalled.")
        if let catalogue { latest.add(Double(catalogue)) }
        return [counts, units, expected, held, results, latest]
    }

    private var stationFamilies: [MetricFamily] {
        [
            ofStations("seen_timestamp_seconds", "Time of a station's last heartbeat.") { $0.seen.seconds },
            ofStations("waiting_results", "Results waiting at a station, by its last heartbeat.") {
                Double($0.waiting)
            },
            ofStations(
                "oldest_waiting_timestamp_seconds", "Since when a station's oldest waiting result waits."
            ) { $0.oldestWaiting?.seconds },
            ofStations(
                "refused_results_total", "Results of a station that were permanently refused.", .counter
            ) { Double($0.refused) },
            ofStations("claimed_units", "Units that a station has claimed.") { Double($0.claims) },
            ofStations(
                "clock_ahead_seconds", "How far a station's clock is ahead of the work server's."
            ) { $0.clockAhead / .seconds(1) },
            ofStations("catalogue_version", "The catalogue that a station uses.") {
                $0.catalogue.map { Double($0) }
            },
            ofStations("may_claim", "0 for a station whose program gets no work.") {
                $0.mayNotClaim == nil ? 1 : 0
            },
        ]
    }

    private func ofStations(
        _ name: String, _ help: String, _ kind: MetricFamily.Kind = .gauge,
        _ value: (StationSummary) -> Double?
    ) -> MetricFamily {
        var family = MetricFamily("station_" + name, kind, help)
        for station in stations {
            if let value = value(station) { family.add(value, ["station": station.name]) }
        }
        return family
    }
}

extension RecordedTime {
    /// Since 1970.
    fileprivate var seconds: Double { Double(milliseconds) / 1000 }
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
            orderCounts: counts, orders: orders, stations: try await stations(), catalogue: latest)
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
