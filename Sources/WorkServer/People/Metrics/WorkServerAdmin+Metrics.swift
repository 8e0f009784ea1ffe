import Tray
public import Work

extension WorkServerAdmin {
    /// The current metrics of the work server.
    public func metrics() async throws(WorkError) -> WorkServerMetrics {
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
