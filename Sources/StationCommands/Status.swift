import ArgumentParser
import Bytes
import CommandKit
import Tray
import UpdateModel
import Work
import WorkServer

struct Status: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show orders and stations, or one order with its units.",
        discussion: "Examples: `beacon-dfu-station status`; `beacon-dfu-station status WO-17 --failed`.")

    @Argument(help: "The order. Default: all orders, and the stations.") var order: String?
    @Flag(help: "Only the order's failed units.") var failed = false
    @Flag(help: "Also show the results of the order, the latest first.") var results = false
    @OptionGroup var server: ServerOptions

    func perform(with admin: WorkServerAdmin, _ console: Console) async throws -> ExitStatus {
        guard let order else { return try await overview(admin, console) }
        guard let summary = try await admin.orders(order).first else {
            throw CommandFailure(
                .station.orderUnknown, during: "reading the order", message: "there is no order \(order)")
        }
        var units: [UnitSummary] = []
        while true {
            let page = try await admin.units(of: order, skipping: units.count)
            units += page
            if page.count < 1000 { break }
        }
        if failed { units = units.filter { $0.state == .failed } }
        console.list([summary])
        if let reason = summary.order.heldReason, !common.json { console.result("held: \(reason)") }
        console.list(units)
        if results { console.list(try await admin.results(of: order, most: 1000)) }
        return .done
    }

    private func overview(_ admin: WorkServerAdmin, _ console: Console) async throws -> ExitStatus {
        let orders = try await admin.orders()
        if !orders.isEmpty { console.list(orders) }
        let stations = try await admin.stations()
        if !stations.isEmpty { console.list(stations) }
        if orders.isEmpty, stations.isEmpty, !common.json { console.result("no orders and no stations yet") }
        return .done
    }
}

extension OrderSummary: Listed {
    static let headings = [
        "ORDER", "STATE", "UNITS", "VERIFIED", "FAILED", "CLAIMED", "WAITING", "LATE", "YIELD",
    ]

    var line: JSONLine {
        JSONLine("order").adding([
            "order": .text(order.number), "state": .text(order.state.rawValue),
            "held_reason": .optional(order.heldReason), "expected": .optional(order.expected),
            "units": .integer(units), "waiting": .integer(waiting), "claimed": .integer(claimed),
            "expired": .integer(expired), "verified": .integer(verified), "failed": .integer(failed),
            "late": .integer(late), "unplanned": .integer(unplanned), "results": .integer(results),
            "yield": .rounded(yield), "first_pass_yield": .rounded(firstPassYield),
            "released_by": .optional(releasedBy),
        ])
    }

    var cells: [TerminalText] {
        let share = yield.map { "\(Percentage($0))" } ?? "-"
        let count = order.expected.map { "\(units) of \($0)" } ?? "\(units)"
        return [
            "\(order.number)", "\(order.state.rawValue)", "\(count)", "\(verified)", "\(failed)",
            "\(claimed)", "\(waiting)", "\(late)", "\(share)",
        ]
    }
}

extension StationSummary: Listed {
    static let headings = ["STATION", "SEEN (UTC)", "CLAIMS", "WAITING", "REFUSED", "PROGRAM", "LOGIN"]

    var line: JSONLine {
        JSONLine("station").adding([
            "station": .text(name), "login": .optional(login), "seen": .text("\(seen)"),
            "claims": .integer(claims), "waiting": .integer(waiting), "refused": .integer(refused),
            "program": .optional(program), "catalogue": .optional(catalogue),
            "clock_ahead": .rounded(clockAhead / .seconds(1)), "may_not_claim": .optional(claimRefusalCode),
        ])
    }

    var cells: [TerminalText] {
        [
            "\(name)", "\(seen.toSeconds)", "\(claims)", "\(waiting)", "\(refused)", "\(program ?? "-")",
            "\(login ?? "-")",
        ]
    }
}

extension UnitSummary: Listed {
    static let headings = ["UNIT", "SLOT", "STATE", "STATION", "OUTCOME", "CODE", "CLAIMS"]

    var line: JSONLine {
        JSONLine("unit").adding([
            "order": .text(order), "unit": .text(key), "slot": .optional(slot),
            "state": .text(state.rawValue), "station": .optional(station),
            "outcome": .optional(outcome?.rawValue), "code": .optional(code), "claims": .integer(attempts),
            "failures": .integer(failures), "claimed_until": .optional(claimedUntil.map { "\($0)" }),
        ])
    }

    var cells: [TerminalText] {
        [
            "\(key)", "\(slot ?? "-")", "\(state.rawValue)", "\(station ?? "-")",
            "\(outcome?.rawValue ?? "-")", "\(code ?? "-")", "\(attempts)",
        ]
    }
}

extension ResultSummary: Listed {
    static let headings = ["RECEIVED (UTC)", "STATION", "UNIT", "OUTCOME", "CODE", "COUNTS AS"]

    var line: JSONLine {
        JSONLine("result").adding([
            "id": .text(id), "station": .text(station), "number": .integer(Int(sequence)),
            "order": .optional(order), "unit": .text(key), "outcome": .text(outcome.rawValue),
            "code": .optional(code), "standing": .text(standing.rawValue),
            "observed": .text("\(observed)"), "received": .text("\(received)"),
        ])
    }

    var cells: [TerminalText] {
        [
            "\(received.toSeconds)", "\(station)", "\(key)", "\(outcome.rawValue)", "\(code ?? "-")",
            "\(standing.rawValue)",
        ]
    }
}

struct Metrics: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics", abstract: "Print metrics of orders and stations for Prometheus.",
        discussion: """
            Example: `beacon-dfu-station metrics > /var/lib/prometheus/node-exporter/beacon_dfu.prom`, each minute, by the textfile \
            collector of node_exporter. Needs the role viewer. docs/stations.md lists useful alerts.
            """)

    @OptionGroup var server: ServerOptions

    func perform(with admin: WorkServerAdmin, _ console: Console) async throws -> ExitStatus {
        let text = try await admin.metrics().text
        console.report(JSONLine("metrics", ["text": .text(text)])) { console.document(text) }
        return .done
    }
}
