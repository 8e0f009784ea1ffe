import Bluetooth
import Bytes
import CommandKit
import Glibc
import Synchronization
import Tray
import UpdateModel

/// Shows the progress of a run: JSON events or plain lines, and on a terminal the live view below them.
final class BatchView: Sendable {
    fileprivate struct State: Sendable {
        var events: [JSONEvents]
        var wasStopped = false
        /// When the event `pace` is due next.
        var nextPace = Duration.zero
    }

    private let plan: TrayPlan
    private let adapters: [String]
    private let console: Console
    private let state: Mutex<State>
    private let live: LiveTray
    private let isShown: Bool
    /// Nil if no page is served.
    private let page: RunPage?
    private let time: Timekeeper

    init(
        _ plan: TrayPlan, _ runAdapters: [RunAdapter], title: String, page: RunPage? = nil,
        _ console: Console, time: Timekeeper
    ) {
        (self.plan, self.page, self.time) = (plan, page, time)
        adapters = runAdapters.map(\.name)
        self.console = console
        state = Mutex(State(events: Array(repeating: JSONEvents(), count: plan.targets.count)))
        isShown = Self.hasPerson(console)
        let board = TrayBoard(title: title, units: plan.records, adapters: adapters, began: time.now)
        live = LiveTray(board, on: console, time: time)
    }

    /// Whether the run is shown on a terminal that also takes keys.
    static func hasPerson(_ console: Console) -> Bool {
        console.style.isTerminal && !console.style.isJSON && KeyMode.isInForeground(of: STDIN_FILENO)
    }

    /// Serves the live view and the page until the task is cancelled. Their requests go to `send`.
    func serve(on loop: EventLoop, sending send: @escaping @Sendable (TrayControl) -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                guard self.isShown else { return }
                await self.live.serve(on: loop) { control in
                    if control == .stop { self.noteStopRequest(.stop) }
                    send(control)
                }
            }
            group.addTask {
                guard let page = self.page else { return }
                await page.serve(on: loop) { self.handle($0, send) }
                guard !Task.isCancelled else { return }
                self.console.warn(.station.pageLost, "the page has ended; the run continues without it")
                if !self.isShown { send(.unattended) }
            }
        }
    }

    /// Carries out a request from the page, and reports who made it.
    private func handle(_ request: RunPage.Request, _ send: (TrayControl) -> Void) {
        let unit = plan.targets.firstIndex { $0.slot == request.slot }.map { UnitNumber($0) }
        let control: TrayControl
        switch (request.wish, unit) {
        case ("hold", _): control = .pause
        case ("release", _): control = .release
        case ("stop", _): control = .stop
        case ("skip", let unit?): control = .skip(unit)
        case ("retry", let unit?): control = .retry(unit)
        case ("blink", let unit?): control = .blink(unit)
        default: return
        }
        let slot = unit.map(plan.slot)
        console.event(
            JSONLine("wish").adding([
                "wish": .text(request.wish), "slot": .optional(slot), "by": .text(request.by),
            ]))
        console.notice("\(request.by): \([request.wish, slot].compactMap(\.self).joined(separator: " "))")
        if control == .stop { noteStopRequest(.stop) }
        send(control)
    }

    /// The most bytes sent to all units within a second.
    var mostBytesPerSecond: Int { live.run.mostBytesPerSecond }

    var wasStopped: Bool { state.withLock { $0.wasStopped } }

    func show(_ event: TrayEvent) {
        let moment = time.now
        let named = live.change { $0.note(event, at: moment) }
        if page != nil || console.style.isJSON {
            if case .update(let unit, let update) = event {
                for rendering in state.withLock({ $0.events[unit.value].render(update) }) {
                    switch rendering {
                    case .event(let event): tell(event.about(plan.slot(unit)))
                    case .json(let line):
                        let line = line.adding(["slot": .text(plan.slot(unit))])
                        page?.tell(line)
                        console.event(line)
                    case .line, .bar: break
                    }
                }
            } else if let named {
                tell(named)
            }
            if isPaceDue(at: moment) { tell(live.change { $0.state.pace(at: moment) }) }
        }
        guard !console.style.isJSON, let line = line(of: event) else { return }
        if case .warning = event { console.alert(line) } else { console.notice(line) }
    }

    private func tell(_ event: RunEvent) {
        page?.tell(event)
        console.event(event)
    }

    private func isPaceDue(at moment: Duration) -> Bool {
        state.withLock { state in
            guard moment >= state.nextPace else { return false }
            state.nextPace = moment + .seconds(1)
            return true
        }
    }

    func noteStopRequest(_ control: TrayControl) {
        state.withLock { $0.wasStopped = true }
        live.change { $0.noteEnding() }
        let words =
            control == .stop
            ? "units that have had a link finish, and no other is started (repeat to stop them at a safe point)"
            : "the running units stop at their next safe point"
        console.warn(.tray.stopping, words)
        page?.tell(.warning(FailureCode.tray.stopping.rawValue, words))
    }

    func close() { console.draw(lines: []) }

    private func line(of event: TrayEvent) -> TerminalText? {
        switch event {
        case .found(let unit, let record):
            let words = [record.address, record.name, record.identifier.map { "id \($0)" }]
            return "\(plan.slot(unit)): " + TerminalText(words.compactMap(\.self).joined(separator: ", "))
        case .planned(let unit, let attempt):
            guard let firmware = attempt.firmware else { return nil }
            let present = attempt.versionBefore.map { "; the unit reports \($0)" } ?? ""
            return
                "\(plan.slot(unit)): version \(firmware.version ?? "unknown (\(firmware.path))") is planned over \(attempt.adapter)\(present)"
        case .warning(let unit, let warning):
            return
                "\(console.paint("warning", .yellow)) \(plan.slot(unit)): \(warning.code): \(warning.message)"
        case .update(let unit, .retry(let attempt, let reason, _, _)):
            return "\(plan.slot(unit)): retrying (\(attempt)): \(reason)"
        case .ended(let unit, let record):
            // The summary has one line for all units that were not started for the same reason.
            guard !record.wasNotStarted else { return nil }
            return
                "\(plan.slot(unit)): \(record.verdict.map(words) ?? "open") (\(live.run.counts.done) of \(plan.targets.count))"
        case .hold(let hold):
            return hold.released == nil
                ? "\(console.paint("held", .yellow)) \(hold.code): \(hold.message)" : "released"
        case .presence(let number, let isThere):
            return "\(adapters[number.value]) is \(isThere ? "back" : "gone")"
        case .blinking(let unit, let event):
            let words = event.words(plan.slot(unit))
            switch event {
            case .began: return TerminalText(words)
            case .failed: return "\(console.paint("warning", .yellow)) \(words)"
            case .refused, .ended: return nil
            }
        case .began, .update, .adapter, .stalled, .attempted, .canBlink, .heard: return nil
        }
    }

    private func words(_ verdict: UnitVerdict) -> TerminalText {
        let colour: TerminalText.Colour =
            verdict.outcome.isGood ? .green : verdict.outcome == .failed ? .red : .yellow
        let word = console.paint(verdict.outcome.rawValue, colour)
        return verdict.reason.isEmpty || verdict.outcome == .passed ? word : "\(word), \(verdict.reason)"
    }
}
