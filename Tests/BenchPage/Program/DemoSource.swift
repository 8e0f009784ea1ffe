import BenchPage
import Synchronization
import Tray
import UpdateModel

/// Benches that carry out every request, without beacons.
final class DemoSource: BenchSource {
    private let observed: ObservedState
    private let orderBook: Mutex<DemoOrders>
    private let log: @Sendable (String) -> Void

    init(_ state: BenchState, log: @escaping @Sendable (String) -> Void) {
        var state = state
        for index in state.benches.indices where !state.benches[index].isPast {
            state.benches[index].actions =
                state.benches[index].scan == nil
                ? Set(BenchAction.Kind.allCases).subtracting([.scan]) : [.scan]
        }
        observed = ObservedState(state)
        orderBook = Mutex(DemoOrders(at: .now, isOfBench: state.benches.count == 1))
        self.log = log
    }

    /// The present state.
    var state: BenchState { observed.state }

    func states() -> AsyncStream<BenchState> { observed.states() }

    func change(_ body: (inout BenchState) -> Void) { observed.change(body) }

    /// Additional firmware for all benches.
    func step() {
        change { state in
            for bench in state.benches.indices {
                for unit in state.benches[bench].units.indices {
                    guard state.benches[bench].units[unit].phase == "transferring" else { continue }
                    let share = (state.benches[bench].units[unit].share ?? 0) + 0.01
                    state.benches[bench].units[unit].share = share > 1 ? 0 : share
                    state.benches[bench].units[unit].bytesPerSecond = 8000 + share * 1000
                }
            }
        }
    }

    /// A note for every unit.
    func churn(_ turn: Int) {
        change { state in
            for bench in state.benches.indices {
                for unit in state.benches[bench].units.indices {
                    state.benches[bench].units[unit].share = Double((turn + unit) % 100) / 100
                    state.benches[bench].units[unit].cause = "turn \(turn) of unit \(unit)"
                }
            }
        }
    }

    func perform(_ action: BenchAction, for user: PageUser) async throws(PageRefusal) {
        log(
            "action \(action.kind.rawValue) \(action.bench) \(action.slot ?? "-") \(user.role.rawValue) \(user.name ?? "-")"
        )
        if action.slot == "A8" {
            throw PageRefusal(
                409, .session.notSupported, "nothing heard of A8 says that it can blink", next: "look for it")
        }
        change { state in
            guard let bench = state.benches.firstIndex(where: { $0.id == action.bench }) else { return }
            Self.change(&state.benches[bench], action)
        }
    }

    private static func change(_ bench: inout Bench, _ action: BenchAction) {
        let unit = bench.units.firstIndex { $0.slot == action.slot }
        switch action.kind {
        case .release: bench.hold = nil
        case .hold: bench.hold = Bench.Hold(code: "paused", message: "requested on the page", since: .now)
        case .stop: bench.isEnding = true
        case .retry:
            guard let unit else { return }
            bench.units[unit].outcomeBefore = bench.units[unit].status.outcome
            (bench.units[unit].status, bench.units[unit].phase) = (.running, "connecting")
            (bench.units[unit].code, bench.units[unit].cause, bench.units[unit].nextStep) = (nil, nil, nil)
            bench.units[unit].attempts += 1
        case .skip:
            guard let unit else { return }
            (bench.units[unit].status, bench.units[unit].phase) = (.skipped, nil)
        case .blink: break
        case .scan:
            let filled = bench.units.count { $0.name != nil }
            switch action.text {
            case "unheard": bench.scan(filled: filled, said: ["unheard: not heard"], asks: true)
            case "y": bench.scan(filled: filled + 1, said: ["accepted"])
            case "undo": bench.scan(filled: filled - 1, said: ["empty again"])
            case let text?: bench.scan(filled: filled + 1, said: ["filled with \(text)"])
            case nil: break
            }
        }
    }

    func metrics() async throws(PageRefusal) -> String? { "beacon_dfu_orders{state=\"held\"} 1\n" }

    func orders(limit: Int) async throws(PageRefusal) -> PageOrders { orderBook.withLock(\.shown) }

    func perform(_ action: OrderAction, for user: PageUser) async throws(PageRefusal) {
        log("order \(action) \(user.role.rawValue) \(user.name ?? "-")")
        try orderBook.withLock { book throws(PageRefusal) in try book.perform(action, for: user) }
    }

    func history(_ query: PageHistoryQuery) async throws(PageRefusal) -> [PageHistoryRow] {
        let units = state.benches.flatMap(\.units)
        let rows = units.filter { $0.status.outcome != nil }.enumerated().map { index, unit in
            var row = PageHistoryRow(
                slot: unit.slot, attempt: unit.attempts,
                began: RecordedTime(milliseconds: RecordedTime.now.milliseconds - Int64(index) * 9000))
            (row.address, row.name, row.outcome, row.code) = (
                unit.address, unit.name, unit.status.outcome, unit.code
            )
            (row.cause, row.nextStep) = (unit.cause, unit.nextStep)
            (row.seconds, row.versionBefore, row.version) = (14.2, unit.versionBefore, unit.version)
            (row.order, row.station, row.adapter) = ("WO-2026-1123", "line3-bench2", unit.adapter)
            return row
        }
        return Array(rows.filter { $0.matches(query) }.prefix(query.limit))
    }
}
