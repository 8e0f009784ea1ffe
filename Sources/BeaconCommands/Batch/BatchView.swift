import Glibc
import PacketSockets
import Radio
import Synchronization
import Timing
import Tray
import TrayEngine
import UpdateCore

/// Shows a run as it goes: JSON events, or plain lines, and below them on a terminal the live view.
final class BatchView: Sendable {
    private struct State: Sendable {
        var events: [JSONEvents]
        var done = 0
        var wasStopped = false
    }

    private let plan: TrayPlan
    private let adapters: [String]
    private let console: Console
    private let state: Mutex<State>
    /// Nil where nobody would see it.
    private let live: LiveTray?

    init(_ plan: TrayPlan, _ seats: [TraySeat], title: String, _ console: Console) {
        self.plan = plan
        adapters = seats.map(\.name)
        self.console = console
        state = Mutex(State(events: Array(repeating: JSONEvents(), count: plan.targets.count)))
        let names = Dictionary(seats.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
        live = seats.first.flatMap { seat in
            guard Self.hasPerson(console) else { return nil }
            let board = TrayBoard(title: title, units: plan.records, adapters: names)
            return LiveTray(board, on: console, time: seat.adapter.time)
        }
    }

    /// Whether somebody sees the run and can press keys.
    static func hasPerson(_ console: Console) -> Bool {
        console.style.isTerminal && !console.style.isJSON && KeyMode.isInFront(of: STDIN_FILENO)
    }

    /// Draws the live view and takes its keys, until the task is cancelled. What they want is given to `hand`.
    func attend(on loop: EventLoop, handing hand: @escaping @Sendable (TrayControl) -> Void) async {
        await live?.attend(on: loop) { command in
            switch command {
            case .pause: hand(.pause)
            case .release: hand(.release)
            case .skip(let unit): hand(.skip(unit))
            case .retry(let unit): hand(.retry(unit))
            case .blink(let unit): hand(.show(unit))
            case .quit:
                self.wished(.stop)
                hand(.stop)
            }
        }
    }

    /// Whether somebody has ended the run.
    var wasStopped: Bool { state.withLock { $0.wasStopped } }

    /// Shows what has happened.
    func show(_ event: TrayEvent) {
        if console.style.isJSON { return json(event) }
        live?.note(event)
        if let line = line(of: event) { console.talk(line) }
    }

    /// Says what a wish to end the run does.
    func wished(_ control: TrayControl) {
        state.withLock { $0.wasStopped = true }
        live?.change { $0.leave() }
        let words =
            control == .stop
            ? "no further unit is begun; those that run go on to their end (once more: they stop at a safe point)"
            : "the units that run stop at their next safe point"
        console.warn("stopping", words)
    }

    /// Takes away what was drawn.
    func close() { console.draw(lines: []) }

    private func slot(_ unit: UnitNumber) -> String { plan.targets[unit.value].slot }

    private func json(_ event: TrayEvent) {
        switch event {
        case .update(let unit, let update):
            let lines = state.withLock { $0.events[unit.value].render(update) }
            for case .json(let line) in lines { console.event(line.adding(["slot": .text(slot(unit))])) }
        default:
            if let line = event.line { console.event(line.naming(slot, adapters)) }
        }
    }

    private func line(of event: TrayEvent) -> TerminalText? {
        switch event {
        case .found(let unit, let record):
            let words = [record.address, record.name, record.identifier.map { "id \($0)" }]
            return "\(slot(unit)): " + TerminalText(words.compactMap(\.self).joined(separator: ", "))
        case .planned(let unit, let attempt):
            guard let firmware = attempt.firmware else { return nil }
            let from = attempt.versionBefore.map { ", where it has \($0)" } ?? ""
            return "\(slot(unit)): gets \(firmware.version ?? firmware.path)\(from), over \(attempt.adapter)"
        case .warning(let unit, let warning):
            return "\(console.paint("warning", .yellow)) \(slot(unit)): \(warning.code): \(warning.message)"
        case .update(let unit, .retry(let attempt, let reason, _)):
            return "\(slot(unit)): tries again (\(attempt)): \(reason)"
        case .ended(let unit, let record):
            let done = state.withLock {
                $0.done += 1
                return $0.done
            }
            return "\(slot(unit)): \(record.verdict.map(words) ?? "open") (\(done) of \(plan.targets.count))"
        case .hold(let hold):
            return hold.released == nil
                ? "\(console.paint("held", .yellow)) \(hold.code): \(hold.message)" : "released"
        case .presence(let number, let isThere):
            return "\(adapters[number.value]) is \(isThere ? "back" : "gone")"
        case .showing(let unit, let news):
            let words = news.words(slot(unit))
            switch news {
            case .began: return TerminalText(words)
            case .failed: return "\(console.paint("warning", .yellow)) \(words)"
            case .refused, .ended: return nil
            }
        case .began, .update, .adapter, .stalled, .attempted, .canShow: return nil
        }
    }

    private func words(_ verdict: Tray.Verdict) -> TerminalText {
        let colour: TerminalText.Colour =
            verdict.outcome.isGood ? .green : verdict.outcome == .failed ? .red : .yellow
        let cause = [verdict.code, verdict.message].compactMap(\.self).joined(separator: ": ")
        let word = console.paint(verdict.outcome.rawValue, colour)
        return cause.isEmpty || verdict.outcome == .passed ? word : "\(word), \(cause)"
    }
}
