import BenchPage
import Tray
import Work
import WorkServer

extension Bench {
    /// A station with its units of an order that has been held since `held`.
    init(
        id: String, _ station: StationSummary, _ units: [UnitSummary], of order: OrderSummary?,
        heldSince held: RecordedTime? = nil, quiet: Double
    ) {
        self.init(id: id, name: station.name)
        note(order, held)
        self.units = UnitLabels(units).pages
        outbox = Outbox(waiting: station.waiting, since: station.oldestWaiting, refused: station.refused)
        // A unit with an expired claim and no result may still be at work.
        let isAtWork = station.claims > 0 || station.waiting > 0 || units.contains { $0.state == .expired }
        if !isAtWork {
            if !isPast { idle = station.seen }
        } else if RecordedTime.now.seconds(since: station.seen) > quiet {
            silence = Silence(since: station.seen, reason: "no report from this station")
        }
    }

    /// The units of an order that no station has begun.
    init(
        id: String, waiting units: [UnitSummary], of order: OrderSummary, heldSince held: RecordedTime? = nil
    ) {
        self.init(id: id, name: "\(order.order.number): not begun")
        note(order, held)
        self.units = UnitLabels(units).pages
    }

    private mutating func note(_ order: OrderSummary?, _ held: RecordedTime?) {
        guard let order else { return }
        isPast = order.order.state == .done || order.order.state == .cancelled
        // Other actions are possible only at the bench itself.
        actions = isPast ? [] : [.release, .hold, .retry]
        var run = Run(id: order.order.number)
        run.order = order.order.number
        run.expected = order.order.expected
        run.firmware = order.order.firmware.words
        run.began = order.released ?? order.created
        self.run = run
        guard order.order.state == .held, let reason = order.order.heldReason else { return }
        let parts = reason.split(separator: ":", maxSplits: 1).map(String.init)
        hold = Hold(
            code: parts.first ?? "order-held",
            message: parts.dropFirst().first.map { String($0.drop { $0 == " " }) } ?? reason,
            since: held ?? order.released ?? order.created)
    }

    /// Sets the catalogue that chooses the firmware of the order's units; the latest if the order names none.
    mutating func note(_ catalogues: [CatalogueSummary], for order: OrderSummary?) {
        var version = catalogues.first { !$0.isWithdrawn }?.version
        if case .catalogue(let named, _)? = order?.order.firmware { version = named }
        guard let version else { return }
        catalogue = Catalogue(
            version: "\(version)", fetched: catalogues.first { $0.version == version }?.published)
    }
}

extension PageUnit {
    /// A unit of the work server, under its label.
    init(_ unit: UnitSummary, _ label: String) {
        self.init(slot: label)
        if unit.key.hasPrefix("id:") {
            identifier = String(unit.key.dropFirst(3))
        } else {
            address = unit.key
        }
        attempts = unit.attempts
        (code, cause) = (unit.code, unit.code)
        status =
            switch unit.state {
            case .waiting: .waiting
            case .claimed: .running
            case .expired: .stalled
            case .verified: unit.outcome == .notNeeded ? .notNeeded : .passed
            case .failed: unit.outcome == .unknown ? .unknown : .failed
            }
        if unit.state == .waiting, unit.outcome != nil {
            cause = [unit.code, "waits for another attempt"].compactMap(\.self).joined(separator: ": ")
        }
        // For the same units as in the view `orders`.
        if unit.state == .verified {
            passedFirst = !unit.hasFailed
        } else {
            passedFirst = unit.state == .failed || unit.isRetried ? false : nil
        }
        if unit.isRetried { outcomeBefore = .failed }
    }
}

extension WorkFirmware {
    /// The firmware in words.
    var words: String? {
        switch self {
        case .file(let name, _): name
        case .catalogue(let version, let withBeta): "catalogue \(version)\(withBeta ? " with beta" : "")"
        case .ofTray: nil
        }
    }
}

extension PageOrder {
    /// An order of the work server.
    init(_ order: OrderSummary) {
        self.init(number: order.order.number, state: order.order.state.rawValue)
        heldReason = order.order.heldReason
        expected = order.order.expected ?? order.units
        counts = [
            .passed: order.verified, .failed: order.failed, .running: order.claimed,
            .waiting: order.waiting, .stalled: order.expired,
        ].filter { $0.value > 0 }
        firmware = order.order.firmware.words
        began = order.created
    }
}

extension PageHistoryRow {
    /// A result of the work server.
    init(_ result: ResultSummary) {
        // Known are the end and the duration of the attempt.
        let took = Int64((result.seconds ?? 0) * 1000)
        self.init(
            slot: result.slot ?? UnitLabels.ends(of: result.key)[0], attempt: result.attempt ?? 1,
            began: RecordedTime(milliseconds: result.observed.milliseconds - took))
        (name, seconds, adapter) = (result.name, result.seconds, result.adapter)
        (versionBefore, version) = (result.versionBefore, result.versionAfter)
        (station, order, outcome, code) = (result.station, result.order, result.outcome, result.code)
        if result.status != .current {
            code = [result.status.rawValue, code].compactMap(\.self).joined(separator: ", ")
        }
        address = result.key.hasPrefix("id:") ? nil : result.key
    }
}
