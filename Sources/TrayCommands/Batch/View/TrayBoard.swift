import CommandKit
import Tray
import UpdateModel

/// The content of a tray's live view, and the user's selection in it. A value: takes events, keys and the
/// time, and returns lines and commands.
struct TrayBoard: Sendable {
    enum Mode: Equatable, Sendable {
        case units
        case filtering
        case details(UnitNumber)
        case help
        /// The user is asked whether to end the run.
        case confirmingEnd
    }

    /// The title at the top: the name of the tray or the order.
    let title: String
    var state: RunState
    private(set) var isPaused = false
    private(set) var blinkable: Set<UnitNumber> = []
    /// A message that is shown until the next key.
    private(set) var message: String?

    private(set) var mode = Mode.units
    /// The typed filter: only units that match all its words are shown.
    private(set) var filter = ""
    /// The unit that keys act on, which has a row of its own. Nil until the next frame chooses the first one.
    private(set) var chosen: UnitNumber?
    /// Whether units with the same status may share a line.
    private(set) var isGrouped = true
    /// How many rows are scrolled off the top.
    private(set) var scrolledRows = 0
    /// How many rows fitted the last frame.
    private(set) var room = 20
    let began: Duration

    init(title: String, units: [UnitRecord], adapters: [String], began: Duration = .zero) {
        (self.title, self.began) = (title, began)
        state = RunState(units: units, adapters: adapters)
    }

    var units: [RunState.Unit] { state.units }

    subscript(unit: UnitNumber) -> RunState.Unit? {
        units.indices.contains(unit.value) ? units[unit.value] : nil
    }

    /// Why no further unit is started; nil while there is no hold.
    var hold: TrayRecord.Hold? { state.hold }

    var isEnding: Bool { state.isEnding }

    /// Records an event at `moment`, and returns it with the labels of slots; nil if only the terminal shows it.
    @discardableResult mutating func note(
        _ event: TrayEvent, at moment: Duration, time: RecordedTime = .now
    ) -> RunEvent? {
        switch event {
        case .canBlink(let unit, true): blinkable.insert(unit)
        case .canBlink(let unit, false): blinkable.remove(unit)
        case .heard(let unit, let record): state.note(unit, heardAs: record)
        case .blinking(let unit, let event): message = self[unit].map { event.words($0.record.slot) }
        case .hold: isPaused = false
        default: break
        }
        let named = RunEvent(
            event, slot: { units[$0.value].record.slot }, adapters: state.adapters.map(\.name))
        if let named { state.apply(named, at: moment, time: time) }
        if case .found(let unit, let record) = event { state.note(unit, isGolden: record.isGolden) }
        return named
    }

    /// Notes that the run was ended other than by a key.
    mutating func noteEnding() { state.stop() }

    /// The units to show: the worst status first, running ones by their start.
    var order: [UnitNumber] {
        let words = filter.lowercased().split(separator: " ")
        return units.indices.filter { index in
            guard !words.isEmpty else { return true }
            let text = units[index].words
            return words.allSatisfy { text.contains($0) }
        }.map {
            (
                index: $0, rank: units[$0].status.rank,
                began: units[$0].attempt == nil ? .zero : units[$0].began
            )
        }
        .sorted { ($0.rank, $0.began, $0.index) < ($1.rank, $1.began, $1.index) }
        .map { UnitNumber($0.index) }
    }

    /// Handles a key; returns its request to the run, if any.
    mutating func press(_ key: TerminalKey) -> TrayControl? {
        message = nil
        switch mode {
        case .filtering: return type(key)
        case .help, .details:
            if case .character(let letter) = key, letter != "?", letter != "d", mode != .help {
                return command(letter)
            }
            mode = .units
            return nil
        case .confirmingEnd:
            mode = .units
            guard key == .character("y") || key == .character("q") else { return nil }
            state.stop()
            return .stop
        case .units: return choose(key)
        }
    }

    private mutating func type(_ key: TerminalKey) -> TrayControl? {
        switch key {
        case .character(let letter): filter.append(letter)
        case .backspace: if filter.popLast() == nil { mode = .units }
        case .enter: mode = .units
        case .escape: (mode, filter) = (.units, "")
        default: break
        }
        scrolledRows = 0
        return nil
    }

    private mutating func choose(_ key: TerminalKey) -> TrayControl? {
        switch key {
        case .up: move(-1)
        case .down: move(1)
        case .pageUp: scrolledRows = max(0, scrolledRows - room)
        case .pageDown: scrolledRows += room
        case .home: move(-units.count)
        case .end: move(units.count)
        case .enter: return command("d")
        case .escape: (filter, chosen, scrolledRows) = ("", nil, 0)
        case .backspace: break
        case .character(let letter): return command(letter)
        }
        return nil
    }

    private mutating func command(_ letter: Character) -> TrayControl? {
        switch letter {
        case "k": move(-1)
        case "j": move(1)
        case "g": (isGrouped, scrolledRows) = (!isGrouped, 0)
        case "?": mode = .help
        case "/": mode = .filtering
        case "q": mode = .confirmingEnd
        case "p":
            if hold != nil || isPaused {
                isPaused = false
                return .release
            }
            isPaused = true
            return .pause
        case "d": if let unit = chosenUnit() { mode = .details(unit) }
        case "s": return control(for: .skip)
        case "r": return control(for: .retry)
        case "b": return control(for: .blink)
        default: message = "'\(letter)' has no effect here; ? lists the keys"
        }
        return nil
    }

    private mutating func chosenUnit() -> UnitNumber? {
        choose(in: rows(room: room))
        if chosen == nil { message = "no unit is shown" }
        return chosen
    }

    /// Chooses the first unit with a row of its own, if none is chosen or the chosen one no longer has one.
    mutating func choose(in rows: [Row]) {
        let shown = rows.compactMap(\.unit)
        if chosen.map({ !shown.contains($0) }) ?? true { chosen = shown.first }
    }

    private enum Request { case skip, retry, blink }

    private mutating func control(for request: Request) -> TrayControl? {
        guard let number = chosenUnit(), let unit = self[number] else { return nil }
        let slot = unit.record.slot
        switch request {
        case .skip where unit.record.verdict == nil || unit.attempt != nil: return .skip(number)
        case .skip: message = "\(slot) has ended: there is nothing to skip"
        case .retry where unit.record.verdict.map { !$0.outcome.isGood } ?? false && unit.attempt == nil:
            return .retry(number)
        case .retry: message = "\(slot) is \(unit.status.words): there is nothing to retry"
        case .blink where blinkable.contains(number):
            message = "\(slot) is asked to blink"
            return .blink(number)
        case .blink: message = "\(slot) does not advertise that it can blink"
        }
        return nil
    }

    /// Moves the selection by `step` units that have rows of their own, down if positive, and scrolls to it.
    private mutating func move(_ step: Int) {
        let rows = rows(room: room)
        let places = rows.indices.filter { rows[$0].unit != nil }
        guard !places.isEmpty else { return }
        let present = chosen.flatMap { chosen in places.firstIndex { rows[$0].unit == chosen } }
        let next = present.map { min(max(0, $0 + step), places.count - 1) } ?? 0
        chosen = rows[places[next]].unit
        scrolledRows = min(scrolledRows, places[next])
        scrolledRows = max(scrolledRows, places[next] - room + 1)
        if next == 0 { scrolledRows = 0 }
    }

    /// Limits the scrolling to a list of `rows` rows, of which `room` fit.
    mutating func limitScrolling(rows: Int, room: Int) {
        self.room = max(1, room)
        scrolledRows = max(0, min(scrolledRows, rows - self.room))
    }
}
