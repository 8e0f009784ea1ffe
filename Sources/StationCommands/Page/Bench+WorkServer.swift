import BenchPage
import CommandKit
import Tray
import UpdateModel
import Work
import WorkServer

extension Bench {
    /// Shows the last report of `station`, which has `units`. A station at work is silent after `limit` s without one.
    mutating func show(_ station: StationSummary, _ units: [UnitSummary], silentAfter limit: Double) {
        outbox = Outbox(waiting: station.waiting, since: station.oldestWaiting, refused: station.refused)
        // A unit with an expired claim and no result may still be at work.
        let isAtWork = station.claims > 0 || station.waiting > 0 || units.contains { $0.state == .expired }
        if !isAtWork {
            if !isPast { idle = station.seen }
        } else if RecordedTime.now.seconds(since: station.seen) > limit {
            silence = Silence(since: station.seen, reason: "no report from this station")
        }
    }

    /// Shows the order `summary`, and the catalogue that it names or else the latest that is not recalled. `held` is
    /// the start of the order's hold, nil for none.
    mutating func show(
        _ summary: OrderSummary, heldSince held: RecordedTime?, _ catalogues: [CatalogueSummary]
    ) {
        let order = summary.order
        isPast = order.state == .done || order.state == .cancelled
        // Other actions are possible only at the bench itself.
        actions = isPast ? [] : [.release, .hold, .retry]
        let began = summary.released ?? summary.created
        var run = Run(id: order.number)
        (run.order, run.expected) = (order.number, order.expected)
        (run.firmware, run.began) = (order.firmware.words, began)
        self.run = run
        isHeldWithOrder = true
        if order.state == .held, let reason = order.heldReason {
            let parts = reason.split(separator: ":", maxSplits: 1).map(String.init)
            hold = Hold(
                code: parts.first ?? FailureCode.station.orderHeld.rawValue,
                message: parts.dropFirst().first.map { String($0.drop { $0 == " " }) } ?? reason,
                since: held ?? began)
        }
        var version = catalogues.first { !$0.isWithdrawn }?.version
        if case .catalogue(let named, _) = order.firmware { version = named }
        catalogue = version.map { version in
            Catalogue(version: "\(version)", fetched: catalogues.first { $0.version == version }?.published)
        }
    }
}

extension PageUnit {
    init(_ unit: UnitSummary, _ label: String) {
        self.init(slot: label)
        if unit.key.hasPrefix("id:") {
            self.identifier = String(unit.key.dropFirst(3))
        } else {
            self.address = unit.key
        }
        attempts = unit.attempts
        let known = unit.code.flatMap(FailureCode.known)
        (code, cause) = (unit.code, known?.summary ?? unit.code)
        if unit.state == .waiting, unit.outcome != nil {
            cause = ["waits for another attempt", cause].compactMap(\.self).joined(separator: ": ")
        } else {
            nextStep = known?.nextStepOnTray.withOptions
        }
        (status, passedFirst, outcomeBefore) = (unit.status, unit.passedFirst, unit.yieldOutcome)
    }
}

extension WorkFirmware {
    var words: String? {
        switch self {
        case .file(let name, _): name
        case .catalogue(let version, let withBeta): "catalogue \(version)\(withBeta ? " with beta" : "")"
        case .ofTray: nil
        }
    }
}

extension PageOrder {
    /// `tallies` count the order's units by station and code; `held` is the start of its hold, nil for none.
    init(_ summary: OrderSummary, heldSince held: RecordedTime?, _ tallies: [UnitTally]) {
        let order = summary.order
        self.init(number: order.number, state: order.state.rawValue)
        (heldReason, heldSince) = (order.heldReason, order.state == .held ? held : nil)
        expected = order.expected ?? summary.units
        counts = [
            .passed: summary.verified, .failed: summary.failed, .running: summary.claimed,
            .waiting: summary.waiting, .stalled: summary.expired,
        ].filter { $0.value > 0 }
        figures = YieldFigures(
            firstPass: Yield(summary.firstPass, of: summary.ended),
            final: Yield(summary.verified, of: summary.ended))
        var failed: [String: Int] = [:]
        for tally in tallies { if let code = tally.code { failed[code, default: 0] += tally.units } }
        troubles = failed.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { code, units in
            let known = FailureCode.known(code)
            return PageTrouble(
                code, units: units, cause: known?.summary, nextStep: known?.nextStepOnTray.withOptions)
        }
        benches = Set(tallies.compactMap(\.station)).sorted()
        firmware = order.firmware.words
        (began, released, releasedBy) = (summary.created, summary.released, summary.releasedBy)
        switch order.state {
        case .draft, .held: actions = [.release]
        case .golden, .open: actions = [.hold]
        case .done, .cancelled: break
        }
    }
}

extension FirmwareChoice {
    /// The firmware that a new order may name: the published catalogues, the latest first; the packages of `orders`;
    /// and the firmware that each bench's tray file names.
    static func all(
        _ catalogues: [CatalogueSummary], _ orders: [OrderSummary]
    ) -> [(choice: FirmwareChoice, firmware: WorkFirmware)] {
        var all: [WorkFirmware] = catalogues.filter { !$0.isWithdrawn }.prefix(mostCatalogues)
            .map { .catalogue(version: $0.version, withBeta: false) }
        for order in orders {
            guard case .file = order.order.firmware, !all.contains(order.order.firmware) else { continue }
            all.append(order.order.firmware)
        }
        return (all + [.ofTray]).map { (FirmwareChoice($0), $0) }
    }

    private static let mostCatalogues = 5

    private init(_ firmware: WorkFirmware) {
        switch firmware {
        case .file(let name, let sha256): self.init(id: "file:\(sha256)", name: name)
        case .catalogue(let version, _): self.init(id: "catalogue:\(version)", name: "catalogue \(version)")
        case .ofTray: self.init(id: "tray", name: "the firmware of each bench's tray file")
        }
    }
}

extension PageHistoryRow {
    init(_ result: ResultSummary) {
        // Only the end and the duration of the attempt are known.
        let took = Int64((result.seconds ?? 0) * 1000)
        self.init(
            slot: result.slot ?? UnitLabels.ends(of: result.key)[0], attempt: result.attempt ?? 1,
            began: RecordedTime(milliseconds: result.observed.milliseconds - took))
        (name, seconds, adapter) = (result.name, result.seconds, result.adapter)
        (versionBefore, version) = (result.versionBefore, result.versionAfter)
        (station, order, outcome, code) = (result.station, result.order, result.outcome, result.code)
        if result.standing != .current {
            code = [result.standing.rawValue, code].compactMap(\.self).joined(separator: ", ")
        }
        address = result.key.hasPrefix("id:") ? nil : result.key
        let known = result.code.flatMap(FailureCode.known)
        cause = result.message ?? known?.summary
        nextStep = result.nextStep ?? (result.message == nil ? known?.nextStepOnTray.withOptions : nil)
    }
}
