import Bluetooth
import CommandKit
import Glibc
import RadioCommands
import Synchronization
import Tray
import UpdateModel

/// Shows the progress of a run: JSON events or plain lines, and on a terminal the live view below them.
final class BatchView: Sendable {
    fileprivate struct State: Sendable {
        var events: [JSONEvents]
        var wasStopped = false
        var figures: RunFigures
        /// When the event `pace` is due next.
        var nextPace = Duration.zero
    }

    private let plan: TrayPlan
    private let adapters: [String]
    private let console: Console
    private let state: Mutex<State>
    /// Nil without a terminal.
    private let live: LiveTray?
    /// Nil if no page is served.
    private let page: RunPage?
    private let time: Timekeeper?

    init(
        _ plan: TrayPlan, _ adapterSlots: [AdapterSlot], title: String, page: RunPage? = nil,
        _ console: Console
    ) {
        self.plan = plan
        self.page = page
        adapters = adapterSlots.map(\.name)
        self.console = console
        time = adapterSlots.first?.adapter.time
        state = Mutex(
            State(
                events: Array(repeating: JSONEvents(), count: plan.targets.count),
                figures: RunFigures(plan.records)))
        let names = Dictionary(
            adapterSlots.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
        live = adapterSlots.first.flatMap { adapterSlot in
            guard Self.hasPerson(console) else { return nil }
            let board = TrayBoard(title: title, units: plan.records, adapters: names)
            return LiveTray(board, on: console, time: adapterSlot.adapter.time)
        }
    }

    /// Whether the run is shown on a terminal that also takes keys.
    static func hasPerson(_ console: Console) -> Bool {
        console.style.isTerminal && !console.style.isJSON && KeyMode.isInFront(of: STDIN_FILENO)
    }

    /// Serves the live view and the page until the task is cancelled. Their requests go to `hand`.
    func serve(on loop: EventLoop, handing hand: @escaping @Sendable (TrayControl) -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await self.live?.serve(on: loop) { command in
                    switch command {
                    case .pause: hand(.pause)
                    case .release: hand(.release)
                    case .skip(let unit): hand(.skip(unit))
                    case .retry(let unit): hand(.retry(unit))
                    case .blink(let unit): hand(.show(unit))
                    case .quit:
                        self.requested(.stop)
                        hand(.stop)
                    }
                }
            }
            group.addTask {
                guard let page = self.page else { return }
                await page.serve(on: loop) { self.handle($0, hand) }
                guard !Task.isCancelled else { return }
                self.console.warn("page-lost", "the page has ended; the run continues without it")
                if self.live == nil { hand(.unattended) }
            }
        }
    }

    /// Carries out a request from the page, and reports who made it.
    private func handle(_ request: RunPage.Request, _ hand: (TrayControl) -> Void) {
        let unit = plan.targets.firstIndex { $0.slot == request.slot }.map { UnitNumber($0) }
        let control: TrayControl
        switch (request.request, unit) {
        case ("hold", _): control = .pause
        case ("release", _): control = .release
        case ("stop", _): control = .stop
        case ("skip", let unit?): control = .skip(unit)
        case ("retry", let unit?): control = .retry(unit)
        case ("blink", let unit?): control = .show(unit)
        default: return
        }
        let slot = unit.map(self.slot)
        console.event(
            JSONLine(
                "wish",
                [
                    "wish": .text(request.request), "slot": slot.map { .text($0) } ?? .null,
                    "by": .text(request.by),
                ]))
        console.talk("\(request.by): \([request.request, slot].compactMap(\.self).joined(separator: " "))")
        if control == .stop { requested(.stop) }
        hand(control)
    }

    /// The most bytes sent to all units within a second.
    var mostBytesPerSecond: Int { state.withLock { $0.figures.mostBytesPerSecond } }

    /// Whether the run was stopped on request.
    var wasStopped: Bool { state.withLock { $0.wasStopped } }

    /// Shows an event.
    func show(_ event: TrayEvent) {
        let moment = time?.now ?? .zero
        let pace = state.withLock { $0.note(event, at: moment) }
        if page != nil || console.style.isJSON {
            for line in lines(of: event) {
                page?.tell(line)
                console.event(line)
            }
            if let pace {
                page?.tell(pace)
                console.event(pace)
            }
        }
        guard !console.style.isJSON else { return }
        live?.note(event, at: moment)
        guard let line = line(of: event) else { return }
        if case .warning = event { console.say(line) } else { console.talk(line) }
    }

    /// Reports the effect of a stop request.
    func requested(_ control: TrayControl) {
        state.withLock { $0.wasStopped = true }
        live?.change { $0.leave() }
        let words =
            control == .stop
            ? "no further unit is started, and units that have had no link yet are left; the others finish (repeat to stop them at a safe point)"
            : "the running units stop at their next safe point"
        console.warn("stopping", words)
        page?.tell(JSONLine("warning", ["code": .text("stopping"), "message": .text(words)]))
    }

    /// Clears the live view.
    func close() { console.draw(lines: []) }

    private func slot(_ unit: UnitNumber) -> String { plan.targets[unit.value].slot }

    private func lines(of event: TrayEvent) -> [JSONLine] {
        guard case .update(let unit, let update) = event else {
            return event.line.map { [$0.naming(slot, adapters)] } ?? []
        }
        let lines = state.withLock { $0.events[unit.value].render(update) }
        return lines.compactMap { line in
            if case .json(let line) = line { line.adding(["slot": .text(slot(unit))]) } else { nil }
        }
    }

    private func line(of event: TrayEvent) -> TerminalText? {
        switch event {
        case .found(let unit, let record):
            let words = [record.address, record.name, record.identifier.map { "id \($0)" }]
            return "\(slot(unit)): " + TerminalText(words.compactMap(\.self).joined(separator: ", "))
        case .planned(let unit, let attempt):
            guard let firmware = attempt.firmware else { return nil }
            let from = attempt.versionBefore.map { ", replacing \($0)" } ?? ""
            return
                "\(slot(unit)): installing version \(firmware.version ?? "unknown (\(firmware.path))") over \(attempt.adapter)\(from)"
        case .warning(let unit, let warning):
            return "\(console.paint("warning", .yellow)) \(slot(unit)): \(warning.code): \(warning.message)"
        case .update(let unit, .retry(let attempt, let reason, _)):
            return "\(slot(unit)): retrying (\(attempt)): \(reason)"
        case .ended(let unit, let record):
            let done = state.withLock { $0.figures.done }
            // The summary has one line for all of these.
            guard !record.wasLeft else { return nil }
            return "\(slot(unit)): \(record.verdict.map(words) ?? "open") (\(done) of \(plan.targets.count))"
        case .hold(let hold):
            return hold.released == nil
                ? "\(console.paint("held", .yellow)) \(hold.code): \(hold.message)" : "released"
        case .presence(let number, let isThere):
            return "\(adapters[number.value]) is \(isThere ? "back" : "gone")"
        case .blinking(let unit, let news):
            let words = news.words(slot(unit))
            switch news {
            case .began: return TerminalText(words)
            case .failed: return "\(console.paint("warning", .yellow)) \(words)"
            case .refused, .ended: return nil
            }
        case .began, .update, .adapter, .stalled, .attempted, .canShow: return nil
        }
    }

    private func words(_ verdict: Tray.UnitVerdict) -> TerminalText {
        let colour: TerminalText.Colour =
            verdict.outcome.isGood ? .green : verdict.outcome == .failed ? .red : .yellow
        let cause = [verdict.code, verdict.message].compactMap(\.self).joined(separator: ": ")
        let word = console.paint(verdict.outcome.rawValue, colour)
        return cause.isEmpty || verdict.outcome == .passed ? word : "\(word), \(cause)"
    }
}

extension BatchView.State {
    /// Records an event; returns the event `pace` when it is due.
    fileprivate mutating func note(_ event: TrayEvent, at moment: Duration) -> JSONLine? {
        figures.note(event, at: moment)
        guard moment >= nextPace else { return nil }
        nextPace = moment + .seconds(1)
        return JSONLine(
            "pace",
            [
                "bytes_per_second": .integer(figures.bytesPerSecond(at: moment)),
                "seconds_left": figures.secondsLeft(at: moment).map { .rounded($0) } ?? .null,
            ])
    }
}
