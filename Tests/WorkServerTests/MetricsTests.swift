import Testing
import Tray
import UpdateModel
import Work

@testable import WorkServer

@Suite struct `The figures of a work server` {
    static let busy = WorkServerMetrics(
        orderCounts: [.held: 1, .done: 12],
        orders: [
            order(
                WorkOrder(
                    number: "WO-17", state: .held, heldReason: "golden-failed: A1", expected: 48,
                    firmware: .ofTray), waiting: 40, claimed: 5, expired: 1, verified: 1, failed: 1,
                results: 7, late: 2, unplanned: 1)
        ],
        stations: [
            StationSummary(
                name: "line2-bench1", login: nil, program: nil, claimRefusalCode: "engine-protocol",
                seen: RecordedTime(milliseconds: 1_795_548_599_500), waiting: 3,
                oldestWaiting: RecordedTime(milliseconds: 1_795_548_000_000), contiguous: nil, catalogue: 7,
                clockAhead: .milliseconds(-250), claims: 5, refused: 1)
        ], catalogue: 8)

    private static func order(
        _ order: WorkOrder, waiting: Int = 0, claimed: Int = 0, expired: Int = 0, verified: Int = 0,
        failed: Int = 0, results: Int = 0, late: Int = 0, unplanned: Int = 0
    ) -> OrderSummary {
        OrderSummary(
            order: order, units: 48, waiting: waiting, claimed: claimed,
            expired: expired, verified: verified, failed: failed, yield: nil, firstPassYield: nil,
            firstPass: 0, retried: 0,
            results: results, late: late, unplanned: unplanned, created: RecordedTime(milliseconds: 0),
            released: nil, releasedBy: nil)
    }

    @Test func `have the Prometheus text format`() {
        #expect(
            Self.busy.text.hasPrefix(
                """
                # HELP beacon_dfu_orders Work orders, by state.
                # TYPE beacon_dfu_orders gauge
                beacon_dfu_orders{state="draft"} 0
                beacon_dfu_orders{state="golden"} 0
                beacon_dfu_orders{state="open"} 0
                beacon_dfu_orders{state="held"} 1
                beacon_dfu_orders{state="done"} 12
                beacon_dfu_orders{state="cancelled"} 0
                # HELP beacon_dfu_order_units Units of an active order, by state.
                # TYPE beacon_dfu_order_units gauge
                beacon_dfu_order_units{order="WO-17",state="waiting"} 40

                """))
    }

    @Test(arguments: [
        #"beacon_dfu_order_expected_units{order="WO-17"} 48"#,
        #"beacon_dfu_order_held{order="WO-17",code="golden-failed"} 1"#,
        #"beacon_dfu_order_results_total{order="WO-17",standing="current"} 4"#,
        #"beacon_dfu_catalogue_version 8"#,
        #"beacon_dfu_station_seen_timestamp_seconds{station="line2-bench1"} 1795548599.5"#,
        #"beacon_dfu_station_oldest_waiting_timestamp_seconds{station="line2-bench1"} 1795548000"#,
        #"beacon_dfu_station_clock_ahead_seconds{station="line2-bench1"} -0.25"#,
        #"beacon_dfu_station_may_claim{station="line2-bench1"} 0"#,
    ]) func `have a line for`(line: String) {
        #expect(Self.busy.text.split(separator: "\n").contains(Substring(line)))
    }

    @Test func `describe each family once, and omit one without values`() {
        let lines = Self.busy.text.split(separator: "\n")
        let types = lines.filter { $0.hasPrefix("# TYPE ") }
        #expect(Set(types).count == types.count)
        let none = WorkServerMetrics(orderCounts: [:], orders: [], stations: [], catalogue: nil).text
        #expect(none.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }.count == 1)
    }

    @Test func `keep their format whatever the name of an order`() {
        let order = Self.order(
            WorkOrder(number: "a\"b\\c\nd", state: .open, firmware: .ofTray))
        let text = WorkServerMetrics(orderCounts: [:], orders: [order], stations: [], catalogue: nil).text
        #expect(text.contains(#"{order="a\"b\\c\nd",state="waiting"} 0"#))
    }
}
