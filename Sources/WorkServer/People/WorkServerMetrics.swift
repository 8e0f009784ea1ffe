import Tray
package import Work

/// Metrics of a work server's orders and stations, for Prometheus. Names and labels are only ever added.
package struct WorkServerMetrics: Sendable {
    /// The number of orders in each state; a state that no order has is not a key.
    let orderCounts: [OrderState: Int]
    /// The orders that are neither done nor cancelled.
    let orders: [OrderSummary]
    let stations: [StationSummary]
    let catalogue: Int64?

    package var text: String { families.map(\.text).joined() }

    private var families: [MetricFamily] {
        [
            MetricFamily(
                "orders", "Work orders, by state.",
                samples: OrderState.allCases.map { (["state": $0.rawValue], Double(orderCounts[$0] ?? 0)) }),
            ofOrders("units", "Units of an active order, by state.", by: "state") {
                [
                    ("waiting", $0.waiting), ("claimed", $0.claimed), ("expired", $0.expired),
                    ("verified", $0.verified), ("failed", $0.failed),
                ]
            },
            MetricFamily(
                "order_expected_units", "Expected units of an order.",
                samples: orders.compactMap { order in
                    order.order.expected.map { (["order": order.order.number], Double($0)) }
                }),
            ofOrders("held", "1 for a held order, with the code of the reason.", by: "code") {
                $0.heldCode.map { [($0, 1)] } ?? []
            },
            ofOrders("results_total", "Results of an order, by standing.", .counter, by: "standing") {
                [
                    ("current", $0.results - $0.late - $0.unplanned), ("late", $0.late),
                    ("unplanned", $0.unplanned),
                ]
            },
            MetricFamily(
                "catalogue_version", "The latest catalogue that was not recalled.",
                samples: catalogue.map { version -> [MetricFamily.Sample] in [([:], Double(version))] } ?? []),
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
                $0.claimRefusalCode == nil ? 1 : 0
            },
        ]
    }

    /// A metric of the active orders; each order has several values, which the label `label` distinguishes.
    private func ofOrders(
        _ name: String, _ help: String, _ kind: MetricFamily.Kind = .gauge, by label: String,
        _ values: (OrderSummary) -> [(label: String, count: Int)]
    ) -> MetricFamily {
        MetricFamily(
            "order_" + name, help, kind,
            samples: orders.flatMap { order in
                values(order).map { (["order": order.order.number, label: $0.label], Double($0.count)) }
            })
    }

    private func ofStations(
        _ name: String, _ help: String, _ kind: MetricFamily.Kind = .gauge,
        _ value: (StationSummary) -> Double?
    ) -> MetricFamily {
        MetricFamily(
            "station_" + name, help, kind,
            samples: stations.compactMap { station in value(station).map { (["station": station.name], $0) } }
        )
    }
}

extension RecordedTime {
    /// Seconds since 1970.
    fileprivate var seconds: Double { Double(milliseconds) / 1000 }
}

extension WorkServerAdmin {
    package func metrics() async throws(WorkError) -> WorkServerMetrics {
        let during = "reading metrics"
        let states = try await session.rows(
            "SELECT state, count(*) AS orders FROM beacon_dfu.orders GROUP BY state", during: during
        ) { row throws(PostgresError) in
            // States that this program does not know become nil, and are ignored below.
            (OrderState(rawValue: try row.text("state")), try row.count("orders"))
        }
        let catalogue = try await session.row(
            "SELECT max(version) AS version FROM beacon_dfu.catalogues WHERE recall IS NULL", during: during
        ) { row throws(PostgresError) in try row.integerIfAny("version") }
        let counts = states.compactMap { state, count in state.map { ($0, count) } }
        let orders = try await orders(most: 1000).filter { ![.done, .cancelled].contains($0.order.state) }
        return WorkServerMetrics(
            orderCounts: Dictionary(counts, uniquingKeysWith: { $1 }), orders: orders,
            stations: try await stations(), catalogue: catalogue)
    }
}

/// A metric with its values, in Prometheus' text format, version 0.0.4.
struct MetricFamily {
    enum Kind: String { case gauge, counter }

    typealias Sample = (labels: KeyValuePairs<String, String>, value: Double)

    let name, help: String
    let kind: Kind
    let samples: [Sample]

    init(_ name: String, _ help: String, _ kind: Kind = .gauge, samples: [Sample]) {
        (self.name, self.help, self.kind, self.samples) = ("beacon_dfu_" + name, help, kind, samples)
    }

    var text: String {
        samples.isEmpty
            ? ""
            : "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n" + samples.map(line).joined()
    }

    private func line(_ sample: Sample) -> String {
        let (labels, value) = sample
        let pairs = labels.map { "\($0)=\"\(Self.escaped($1))\"" }
        let number = value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
        return name + (pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}") + " \(number)\n"
    }

    /// An escaped label value: names are user input.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
