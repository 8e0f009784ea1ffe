import BenchPage
import Bluetooth
import Glibc
import Synchronization
import Tray
import Work
import WorkServer

/// All stations of a work server, for the page: each with the units that it has, or had, of one order.
final class WorkServerSource: BenchSource {
    /// The most units shown of an order: the first ones.
    private static let mostUnits = 2000
    /// The most active orders shown in addition to the held ones.
    private static let mostActiveOrders = 4
    private static let mostOrdersRead = 1000
    /// The time in seconds without a heartbeat after which a station counts as silent.
    private static let silenceLimit = 90.0
    /// The interval at which the work server is queried if it sends no hint.
    static let pollInterval = Duration.seconds(5)
    /// The time between two queries, even if there are hints.
    private static let leastPause = Duration.milliseconds(500)

    /// The order and units that a bench of the page shows.
    private struct ShownOrder: Sendable {
        let order: String
        /// The keys of its units by their labels.
        let keys: [String: String]
    }

    private let admin: WorkServerAdmin
    private let observed = ObservedState(BenchState(title: "beacon-dfu stations"))
    private let shownOrders = Mutex<[String: ShownOrder]>([:])

    init(_ admin: WorkServerAdmin) { self.admin = admin }

    func states() -> AsyncStream<BenchState> { observed.states() }

    /// Queries the work server now, at each hint, and every few seconds, until the task is cancelled.
    func follow(
        _ hints: AsyncStream<Void>, time: Timekeeper, wakingWith waker: AsyncStream<Void>.Continuation
    )
        async
    {
        var hints = hints.makeAsyncIterator()
        while !Task.isCancelled {
            do throws(WorkError) { try await refresh() } catch { showSilence("\(error.message)") }
            let alarm = time.alarm(after: Self.pollInterval) { waker.yield() }
            _ = await hints.next()
            alarm.stop()
            // Limits the queries: each claim and each result causes a hint.
            try? await time.sleep(for: Self.leastPause)
        }
    }

    private func showSilence(_ reason: String) {
        observed.change { state in
            // If nothing was read yet, shows the work server itself as a silent bench.
            if state.benches.isEmpty { state.benches = [Bench(id: "engine", name: "work server")] }
            for index in state.benches.indices where state.benches[index].silence == nil {
                state.benches[index].silence = Bench.Silence(since: .now, reason: reason)
            }
        }
    }

    private func refresh() async throws(WorkError) {
        let orders = try await admin.orders(most: Self.mostOrdersRead)
        let stations = try await admin.stations()
        let (holds, catalogues) = (try await admin.holds(), try await admin.catalogues())
        var benches: [Bench] = []
        var shownOrders: [String: ShownOrder] = [:]
        var byStation: [String: [(order: OrderSummary, units: [UnitSummary])]] = [:]
        for order in Self.shown(orders) {
            let units = try await admin.units(of: order.order.number, most: Self.mostUnits)
            for (station, units) in Dictionary(grouping: units, by: \.station) {
                if let station { byStation[station, default: []].append((order, units)) }
            }
        }
        for station in stations {
            var bench = Bench(id: station.name, name: station.name)
            var units: [UnitSummary] = []
            if let (order, own) = Self.current(byStation[station.name] ?? []) {
                let number = order.order.number
                let labels = UnitLabels(own)
                shownOrders[bench.id] = ShownOrder(order: number, keys: labels.keys)
                (units, bench.units) = (own, labels.pages)
                bench.show(order, heldSince: holds[number], catalogues)
            }
            bench.show(station, units, silentAfter: Self.silenceLimit)
            benches.append(bench)
        }
        let current = shownOrders
        self.shownOrders.withLock { $0 = current }
        let held = orders.count { $0.order.state == .held }
        observed.change { ($0.benches, $0.heldOrders) = (benches, held) }
    }

    /// The order to show for a station: the first with a claimed unit, else the first that is held, else the first.
    static func current(
        _ orders: [(order: OrderSummary, units: [UnitSummary])]
    ) -> (order: OrderSummary, units: [UnitSummary])? {
        orders.first { $0.units.contains { $0.state == .claimed } }
            ?? orders.first { $0.order.order.state == .held } ?? orders.first
    }

    /// The orders to show: all held ones, which wait for a decision on this page, and the first `mostActiveOrders`
    /// active ones; if there are neither, the latest order.
    static func shown(_ orders: [OrderSummary]) -> [OrderSummary] {
        let held = orders.filter { $0.order.state == .held }
        let active = orders.filter { ![.held, .done, .cancelled].contains($0.order.state) }
        guard held.isEmpty, active.isEmpty else { return held + active.prefix(mostActiveOrders) }
        return Array(orders.prefix(1))
    }

    /// Performs decisions about the order of a bench, for approvers; other actions are possible only at the bench.
    func perform(_ action: BenchAction, for user: PageUser) async throws(PageRefusal) {
        guard user.role >= .approver else { throw .role(.approver) }
        guard let shown = shownOrders.withLock({ $0[action.bench] }) else {
            throw PageRefusal(
                404, .page.benchUnknown, "there is no bench \(action.bench) with an order",
                next: "load the page again")
        }
        do throws(WorkError) {
            switch action.kind {
            case .release: _ = try await admin.release(shown.order, by: user.recordedName)
            case .hold:
                try await admin.hold(shown.order, because: "requested on the page", by: user.recordedName)
            case .retry:
                guard let key = action.slot.flatMap({ shown.keys[$0] }) else {
                    throw WorkError(
                        .refused, .station.unitUnknown, during: "retrying", message: "there is no such unit")
                }
                _ = try await admin.retry([key], of: shown.order, by: user.recordedName)
            case .skip, .blink, .stop, .scan:
                throw WorkError(
                    .refused, .station.atTheBench, during: "acting",
                    message: "this is possible only at the bench itself",
                    nextStep: "open the page of that bench")
            }
        } catch { throw Self.refusal(error) }
    }

    private static func refusal(_ error: WorkError) -> PageRefusal {
        PageRefusal(
            error.kind == .refused ? 409 : 503, error.code, error.message,
            next: error.nextStep ?? "check the work server with `beacon-dfu-station doctor`")
    }

    /// Releases only the hold that began at `since`, not one that has replaced it.
    func perform(_ action: OrderAction, for user: PageUser) async throws(PageRefusal) {
        do throws(WorkError) {
            switch action {
            case .create(let draft):
                let choices = FirmwareChoice.all(
                    try await admin.catalogues(), try await admin.orders(most: Self.mostOrdersRead))
                guard let firmware = choices.first(where: { $0.choice.id == draft.firmware })?.firmware else {
                    throw WorkError(
                        .refused, .workServer.orderUnusable, during: "creating an order",
                        message: "this firmware is no longer offered", nextStep: "load the page again")
                }
                try await admin.create(
                    OrderPlan(
                        draft.number, firmware, expected: draft.expected, isListed: false,
                        golden: draft.golden, attempts: draft.attempts))
            case .hold(let number, let reason):
                try await admin.hold(number, because: reason, by: user.recordedName)
            case .release(let number, let since):
                guard try await admin.holds()[number] == since else {
                    throw WorkError(
                        .refused, .page.holdChanged, during: "releasing an order",
                        message: "that hold has ended or been replaced",
                        nextStep: "check why the order is held now")
                }
                try await admin.release(number, by: user.recordedName)
            }
        } catch { throw Self.refusal(error) }
    }

    func orders(limit: Int) async throws(PageRefusal) -> PageOrders {
        try await read { () async throws(WorkError) in
            let orders = try await admin.orders(most: limit)
            let tallies = Dictionary(
                grouping: try await admin.tallies(of: orders.map(\.order.number)), by: \.order)
            let holds = try await admin.holds()
            let choices =
                try await admin.mayCreate() ? FirmwareChoice.all(try await admin.catalogues(), orders) : []
            return PageOrders(
                orders.map {
                    PageOrder($0, heldSince: holds[$0.order.number], tallies[$0.order.number] ?? [])
                },
                choices: choices.map(\.choice))
        }
    }

    func history(_ query: PageHistoryQuery) async throws(PageRefusal) -> [PageHistoryRow] {
        try await read { () async throws(WorkError) in
            try await admin.results(with: query.text, outcome: query.outcome, most: query.limit)
                .map(PageHistoryRow.init)
        }
    }

    func metrics() async throws(PageRefusal) -> String? {
        try await read { () async throws(WorkError) in try await admin.metrics().text }
    }

    private func read<Value>(
        _ question: () async throws(WorkError) -> Value
    ) async throws(PageRefusal) -> Value {
        do throws(WorkError) { return try await question() } catch {
            throw PageRefusal(503, error.code, error.message, next: "check that the work server is reachable")
        }
    }
}
