import Tray
import TraySamples
import UpdateModel

@testable import TrayCommands

/// An invented run, as its events would arrive.
struct PlayedRun {
    let record: TrayRecord
    private let steps: [(at: Double, event: TrayEvent)]

    init(units: Int) {
        record = SampleRecord.run(units: units)
        var steps: [(at: Double, event: TrayEvent)] = []
        for (index, unit) in record.units.enumerated() {
            let number = UnitNumber(index)
            for attempt in unit.attempts {
                steps += Self.steps(of: attempt, number, unit, Self.start(of: attempt, record))
            }
            guard unit.verdict != nil else { continue }
            let end =
                unit.attempts.last.map { [record] in Self.start(of: $0, record) + ($0.seconds ?? 0) + 0.001 }
                ?? 0.5
            steps.append((end, .ended(number, unit)))
        }
        self.steps = steps.sorted { $0.at < $1.at }
    }

    /// In seconds: the second session continues where the first one was interrupted, and an attempt begins after the
    /// end of the one before, also if that is rounded.
    private static func start(of attempt: AttemptRecord, _ record: TrayRecord) -> Double {
        attempt.began.seconds(since: record.sessions[0].began) - (attempt.session == 2 ? 3600 : 0)
            + 0.002 * Double(attempt.number)
    }

    private static func steps(
        of attempt: AttemptRecord, _ number: UnitNumber, _ unit: UnitRecord, _ start: Double
    ) -> [(at: Double, event: TrayEvent)] {
        var bare = unit
        (bare.attempts, bare.verdict) = ([], nil)
        var open = attempt
        (open.phases, open.speeds, open.seconds, open.transfer, open.verdict) = ([], [], nil, nil, nil)
        let (found, began) = (bare, open)
        var steps: [(at: Double, event: TrayEvent)] = []
        if attempt.number == 1 { steps.append((start - 0.01, .found(number, found))) }
        steps.append((start, .began(number, began)))
        steps.append((start + 0.001, .planned(number, began)))
        for phase in attempt.phases {
            guard let known = UpdatePhase(rawValue: phase.name) else { continue }
            steps.append((start + phase.at, .update(number, .phase(known))))
        }
        var sent = 0
        for speed in attempt.speeds {
            sent = min(98_304, sent + Int(speed.bytesPerSecond))
            let (bytes, rate) = (sent, speed.bytesPerSecond)
            if rate < 5000 { steps.append((start + speed.at - 0.5, .stalled(number))) }
            steps.append(
                (
                    start + speed.at,
                    .update(number, .progress(sent: bytes, total: 98_304, bytesPerSecond: rate))
                ))
        }
        if let seconds = attempt.seconds {
            steps.append((start + seconds, .attempted(number, attempt)))
        }
        return steps
    }

    /// The events of the whole run, as lines have them.
    var events: [(at: Double, event: RunEvent)] {
        steps.compactMap { step in
            RunEvent(step.event, slot: { record.units[$0.value].slot }, adapters: ["hci0", "hci1"])
                .map { (step.at, $0) }
        }
    }

    /// A board after the first `seconds`.
    func board(after seconds: Double) -> TrayBoard {
        var bare = record.units
        for index in bare.indices { (bare[index].attempts, bare[index].verdict) = ([], nil) }
        var board = TrayBoard(
            title: "line-3.yaml", units: bare, adapters: ["hci0", "hci1"])
        board.note(.adapter(AdapterNumber(0), links: 7, limit: 8), at: .zero)
        for step in steps where step.at <= seconds { board.note(step.event, at: .seconds(max(0, step.at))) }
        return board
    }
}
