import BenchPage
import Bluetooth
import Glibc
import Synchronization
import Tray
import Work
import WorkServer

/// All stations of a work server, for the page: each with the units that it has or had, and a place for units that no
/// station has begun.
final class WorkServerSource: BenchSource {
    /// The most units shown of an order: the first ones.
    private static let mostUnits = 2000
    /// The most orders shown in addition to the held ones: active orders first.
    private static let mostOrders = 4
    /// The most orders that are read.
    private static let readOrders = 1000
    /// The time in seconds without a heartbeat after which a station counts as silent.
    private static let quiet = 90.0
    /// The polling interval of the work server, in addition to its hints.
    static let glance = Duration.seconds(5)
    /// The minimum time between two queries.
    private static let rest = Duration.milliseconds(500)

    /// The order and units behind a bench of the page.
    private struct Place: Sendable {
        let order: String
        /// The keys of its units by their labels.
        let keys: [String: String]
    }

    private let admin: WorkServerAdmin
    private let observed = ObservedState(BenchState(title: "beacon-dfu stations"))
    private let places = Mutex<[String: Place]>([:])

    init(_ admin: WorkServerAdmin) { self.admin = admin }

    func states() -> AsyncStream<BenchState> { observed.states() }

    /// Queries the work server now, at each hint, and every few seconds, until the task is cancelled.
    func follow(_ hints: AsyncStream<Void>, time: Timekeeper, ringing ringer: AsyncStream<Void>.Continuation)
        async
    {
        var hints = hints.makeAsyncIterator()
        while !Task.isCancelled {
            do throws(WorkError) { try await look() } catch { fallSilent("\(error.message)") }
            let alarm = time.alarm(after: Self.glance) { ringer.yield() }
            _ = await hints.next()
            alarm.stop()
            // Each claim and each result is a hint.
            try? await time.sleep(for: Self.rest)
        }
    }

    private func fallSilent(_ reason: String) {
        observed.change { state in
            // Nothing was read yet: shows the work server itself as silent.
            if state.benches.isEmpty { state.benches = [Bench(id: "engine", name: "work server")] }
            for index in state.benches.indices where state.benches[index].silence == nil {
                state.benches[index].silence = Bench.Silence(since: .now, reason: reason)
            }
        }
    }

    private func look() async throws(WorkError) {
        let orders = try await admin.orders(most: Self.readOrders)
        let stations = try await admin.stations()
        let (holds, catalogues) = (try await admin.holds(), try await admin.catalogues())
        var benches: [Bench] = []
        var places: [String: Place] = [:]
        for order in Self.shown(orders) {
            let number = order.order.number
            let units = try await admin.units(of: number, most: Self.mostUnits)
            let byStation = Dictionary(grouping: units) { $0.station ?? "" }
            func show(_ id: String, _ name: String, _ units: [UnitSummary], of station: StationSummary? = nil)
            {
                let labels = UnitLabels(units)
                places[id] = Place(order: number, keys: labels.keys)
                var bench = Bench(id: id, name: name)
                bench.units = labels.pages
                bench.take(order, heldSince: holds[number], catalogues)
                if let station { bench.take(station, units, quiet: Self.quiet) }
                benches.append(bench)
            }
            for station in stations {
                guard let own = byStation[station.name], !own.isEmpty else { continue }
                show("\(station.name)/\(number)", station.name, own, of: station)
            }
            // Also for an order that no station has begun: it may be held and wait for a viewer of this page.
            let open = byStation[""] ?? []
            if !open.isEmpty || units.isEmpty { show("order/\(number)", "\(number): not begun", open) }
        }
        for station in stations where !benches.contains(where: { $0.name == station.name }) {
            var bench = Bench(id: station.name, name: station.name)
            bench.take(station, [], quiet: Self.quiet)
            benches.append(bench)
        }
        let shown = places
        self.places.withLock { $0 = shown }
        observed.change { $0.benches = benches }
    }

    /// All held orders, which wait for a viewer of this page; then the active ones, or else the latest.
    static func shown(_ orders: [OrderSummary]) -> [OrderSummary] {
        let held = orders.filter { $0.order.state == .held }
        let active = orders.filter { ![.held, .done, .cancelled].contains($0.order.state) }
        guard held.isEmpty, active.isEmpty else { return held + active.prefix(mostOrders) }
        return Array(orders.prefix(1))
    }

    /// Decisions about an order are performed by the work server and need an approver; other actions are possible only
    /// at the bench.
    func perform(_ action: BenchAction, for user: PageUser) async throws(PageRefusal) {
        guard user.role >= .approver else { throw .role(.approver) }
        guard let place = places.withLock({ $0[action.bench] }) else {
            throw PageRefusal(
                404, .page.benchUnknown, "there is no bench \(action.bench) with an order",
                next: "load the page again")
        }
        do throws(WorkError) {
            switch action.kind {
            case .release: _ = try await admin.release(place.order, by: user.words)
            case .hold:
                try await admin.hold(
                    place.order, because: "requested on the page", by: user.words)
            case .retry:
                guard let key = action.slot.flatMap({ place.keys[$0] }) else {
                    throw WorkError(
                        .refused, .station.unitUnknown, during: "retrying", message: "there is no such unit")
                }
                _ = try await admin.retry([key], of: place.order, by: user.words)
            case .skip, .blink, .stop:
                throw WorkError(
                    .refused, .station.atTheBench, during: "acting",
                    message: "this is possible only at the bench itself",
                    nextStep: "open the page of that bench")
            }
        } catch {
            throw PageRefusal(
                error.kind == .refused ? 409 : 503, error.code, error.message,
                next: error.nextStep ?? "check the work server with `beacon-dfu-station doctor`")
        }
    }

    func orders(limit: Int) async throws(PageRefusal) -> [PageOrder] {
        try await read { () async throws(WorkError) in
            try await admin.orders(most: limit).map(PageOrder.init)
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
