import CommandKit
import Tray
import UpdateModel

struct BatchSummary {
    let record: TrayRecord
    let wasStopped: Bool
    var options = RepeatedOptions()

    /// The exit status, by the worst outcome of a unit.
    var status: ExitStatus {
        if wasStopped { return .interrupted }
        let counts = record.counts
        func any(_ statuses: UnitStatus...) -> Bool { statuses.contains { counts[$0] > 0 } }
        if any(.failed, .error, .unknown) {
            let isMissing = record.units.allSatisfy {
                $0.verdict?.code == FailureCode.device.deviceNotFound.rawValue
            }
            return isMissing ? .deviceNotFound : .failed
        }
        if counts.open > 0 || any(.aborted) { return .tryAgain }
        if !missing.isEmpty || any(.skipped) { return .failed }
        return any(.passed) ? .done : .nothingToDo
    }

    private var missing: [String] {
        guard let expected = record.expected, expected > record.units.count else { return [] }
        return ["\(expected - record.units.count) of \(expected) were not heard"]
    }

    func print(on console: Console) {
        guard !console.style.isJSON else { return console.event(finished) }
        for unit in record.units where !unit.wasNotStarted && !(unit.verdict?.outcome.isGood ?? false) {
            let verdict = unit.verdict
            console.result(
                "\(unit.slot) \(console.paint(verdict?.outcome.rawValue ?? "open", .red)): \(verdict?.reason ?? "")"
            )
            if let state = verdict?.state { console.result("  \(options.added(to: state.words))") }
            if let step = verdict?.nextStep { console.result("  next: \(options.added(to: step))") }
        }
        for line in Self.notStarted(record.units) { console.result(TerminalText(line)) }
        let counts = record.counts
        let words = UnitOutcome.allCases.compactMap { outcome in
            counts.byStatus[UnitStatus(outcome)].map { "\($0) \(outcome.rawValue)" }
        }
        let open = counts.open > 0 ? ["\(counts.open) open"] : []
        let all = (words + open + missing).joined(separator: ", ")
        console.result("\(Quantities.count(counts.units, "unit")): \(all)\(Self.yield(counts))")
        if let session = record.sessions.last, let limit = session.limitedBy, let seconds = session.seconds {
            console.result("\(Quantities.seconds(seconds)), limited by: \(limit)")
        }
        // The lines about units that were not started already give this advice.
        if counts.open + counts[.aborted] + counts[.error] > record.units.count(where: \.wasNotStarted) {
            console.result("continue with the same command and --resume")
        }
    }

    /// A line for each reason why units were not started: `14 not started: B1–D6 (interrupted: the run was stopped);
    /// run again with --resume`.
    static func notStarted(_ units: [UnitRecord]) -> [String] {
        var reasons: [(cause: String, places: [Int])] = []
        for (place, unit) in units.enumerated() where unit.wasNotStarted {
            let cause = unit.verdict?.reason ?? ""
            if let index = reasons.firstIndex(where: { $0.cause == cause }) {
                reasons[index].places.append(place)
            } else {
                reasons.append((cause, [place]))
            }
        }
        return reasons.map { cause, places in
            "\(places.count) not started: \(SlotRuns.words(places) { units[$0].slot }) (\(cause)); "
                + "run again with --resume"
        }
    }

    private static func yield(_ counts: UnitCounts) -> String {
        guard let first = counts.firstPassYield.share, let final = counts.finalYield.share else { return "" }
        return "; first-pass yield \(Percentage(first)), final \(Percentage(final))"
    }

    var finished: RunEvent { .finished(record, exit: Int(status.rawValue)) }
}

extension UnitRecord {
    /// Whether the run ended before the unit had a link.
    var wasNotStarted: Bool {
        verdict?.outcome == .aborted
            && attempts.allSatisfy { attempt in
                attempt.verdict?.outcome == .aborted
                    && attempt.phases.allSatisfy { $0.name == UpdatePhase.connecting.rawValue }
            }
    }
}
