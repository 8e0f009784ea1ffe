public import Tray
public import Work

extension WorkServerAdmin {
    /// The start of the hold of each held order, by number.
    public func holds() async throws(WorkError) -> [String: RecordedTime] {
        let rows = try await session.run(
            """
            SELECT o.number, floor(extract(epoch FROM max(e.at)) * 1000)::bigint AS since
            FROM beacon_dfu.orders o JOIN beacon_dfu.events e ON e.order_number = o.number
            WHERE o.state = 'held' AND e.what IN ('order-held', 'order-hold-asked') GROUP BY o.number
            """, during: "reading holds")
        return try reading { () throws(PostgresError) in
            var holds: [String: RecordedTime] = [:]
            for row in rows { holds[try row.text("number")] = try row.time("since") }
            return holds
        }
    }
}
