package import UpdateModel

/// The state of a run as its events give it. All views of a run show this state.
///
/// It is a value without I/O and clock: each event comes with its moment, on the caller's monotonic clock and on the
/// wall clock. A reader that has not seen all events also reads the run's record from the journal.
package struct RunState: Sendable {
    package struct Adapter: Hashable, Sendable {
        package var name: String
        /// Links that are up or being made.
        package var links = 0
        package var limit: Int?
        package var isThere = true

        package init(_ name: String) { self.name = name }
    }

    /// The run without holds and units, and only with its last session; nil if none is known.
    package private(set) var run: TrayRecord?
    /// The units in the tray's order, as far as that is known.
    package private(set) var units: [Unit]
    /// The adapters in the order of the command line.
    package private(set) var adapters: [Adapter]
    /// Why no further unit starts; nil if units start.
    package private(set) var hold: TrayRecord.Hold?
    /// The firmware that was chosen last.
    package private(set) var firmware: FirmwareRecord?
    /// Whether the run was stopped: units at work are finished, no further unit starts.
    package private(set) var isEnding = false
    package private(set) var isPast = false
    /// The last event `pace` of the run; nil if there was none.
    package private(set) var reported: RunEvent?

    /// The most units and adapters that are accepted: the input may come from another program.
    private static let (mostUnits, mostAdapters) = (2000, 64)

    private var places: [String: Int]
    private var speed = RunSpeed()
    private var rate = CompletionRate()
    /// The slots with events since the last gap.
    private var changed: Set<String> = []
    private var hasEvents = false
    private var hasGap = false

    package init(units: [UnitRecord] = [], adapters: [String] = []) {
        self.units = units.map(Unit.init)
        self.adapters = adapters.map(Adapter.init)
        places = units.places
    }
}

// MARK: Events

extension RunState {
    /// Applies an event; returns the index of the unit concerned, nil if it concerns none.
    @discardableResult package mutating func apply(
        _ event: RunEvent, at moment: Duration, time: RecordedTime
    ) -> Int? {
        guard let name = event.named else { return nil }
        if let slot = event.slot {
            guard let place = place(of: slot) else { return nil }
            changed.insert(slot)
            apply(name, event, of: place, at: moment, time: time)
            return place
        }
        switch name {
        case .runStarted: begin(event, at: time)
        case .runFinished: finish(event, at: time)
        case .links: change(event.adapter) { ($0.links, $0.limit) = (event.links ?? 0, event.limit) }
        case .adapterGone: change(event.adapter) { ($0.isThere, $0.links) = (false, 0) }
        case .adapterBack: change(event.adapter) { $0.isThere = true }
        case .held:
            hold = TrayRecord.Hold(
                began: time, code: FailureCode(named: event.code ?? "held"), message: event.message ?? "")
            for index in units.indices { units[index].isHeld = true }
        case .released:
            hold = nil
            for index in units.indices { units[index].isHeld = false }
        case .pace: reported = event
        case .warning: if event.code == "stopping" { stop() }
        default: break
        }
        return nil
    }

    package mutating func stop() { isEnding = true }

    /// Notes that events were lost: the journal's record of a unit has precedence until the unit has a new event.
    package mutating func noteGap() { (hasGap, changed) = (true, []) }

    package mutating func note(_ unit: UnitNumber, heardAs record: UnitRecord) {
        guard units.indices.contains(unit.value), units[unit.value].status == .waiting else { return }
        units[unit.value].record.identity = record.identity
    }

    /// Sets whether a unit is the golden one, which the events do not contain.
    package mutating func note(_ unit: UnitNumber, isGolden: Bool) {
        units[unit.value].record.isGolden = isGolden
    }

    private mutating func begin(_ event: RunEvent, at time: RecordedTime) {
        let id = event.run ?? ""
        if run?.id != id { self = RunState() }
        hasEvents = true
        var run = run ?? TrayRecord(id: id)
        (run.tray, run.expected, run.isSimulated) = (event.tray, event.expected, event.simulated)
        run.sessions = [TrayRecord.Session(number: event.session ?? 1, began: time, version: "")]
        (self.run, hold, isEnding, isPast) = (run, nil, false, false)
        adapters = (event.adapters ?? []).prefix(Self.mostAdapters).map(Adapter.init)
    }

    private mutating func finish(_ event: RunEvent, at time: RecordedTime) {
        if let last = run?.sessions.indices.last {
            run?.sessions[last].ended = time
            run?.sessions[last].limitedBy = event.limitedBy
        }
        (hold, isEnding, isPast) = (nil, false, true)
        for index in adapters.indices { adapters[index].links = 0 }
    }

    private mutating func change(_ name: String?, _ body: (inout Adapter) -> Void) {
        guard let name else { return }
        if let place = adapters.firstIndex(where: { $0.name == name }) { return body(&adapters[place]) }
        guard adapters.count < Self.mostAdapters else { return }
        adapters.append(Adapter(name))
        body(&adapters[adapters.count - 1])
    }

    private mutating func place(of slot: String) -> Int? {
        if let place = places[slot] { return place }
        guard units.count < Self.mostUnits else { return nil }
        places[slot] = units.count
        units.append(Unit(UnitRecord(slot: slot)))
        return units.count - 1
    }

    private mutating func apply(
        _ name: RunEvent.Name, _ event: RunEvent, of place: Int, at moment: Duration, time: RecordedTime
    ) {
        switch name {
        case .attempt:
            guard let number = event.attempt else { return }
            // The event for the end of the last attempt was lost.
            if units[place].attempt?.number != number { close(place, at: moment) }
            units[place].begin(attempt(event, number, time), at: moment)
            speed.forget(UnitNumber(place))
            rate.began(at: moment)
        case .attempted:
            // The event for the start of this attempt may be lost.
            var ended = units[place].attempt ?? attempt(event, event.attempt ?? 1, time)
            (ended.seconds, ended.verified, ended.transfer) = (event.seconds, event.verified, event.transfer)
            (ended.timesSent, ended.sentFrom) = (event.timesSent, event.sentFrom)
            ended.verdict = event.verdict
            units[place].attempt = ended
            close(place, at: moment)
        case .finished, .failed:
            if units[place].attempt?.verdict == nil { units[place].attempt?.verdict = event.verdict }
            close(place, at: moment)
            units[place].end(event)
        case .progress:
            // Sums and differences of numbers in this range do not overflow.
            guard let sent = event.sent, (0...1 << 53).contains(sent) else { return }
            speed.note(UnitNumber(place), sent: sent, at: moment)
            units[place].apply(name, event, at: moment)
        default:
            if name == .started { firmware = event.firmware ?? firmware }
            units[place].apply(name, event, at: moment)
        }
    }

    private func attempt(_ event: RunEvent, _ number: Int, _ time: RecordedTime) -> AttemptRecord {
        AttemptRecord(
            number: number, session: run?.sessions.last?.number ?? 1, adapter: event.adapter ?? "",
            began: time, address: event.device ?? "")
    }

    private mutating func close(_ place: Int, at moment: Duration) {
        if let attempt = units[place].close() { rate.ended(after: attempt, at: moment) }
    }
}

// MARK: Figures

extension RunState {
    package var mostBytesPerSecond: Int { speed.most }

    /// The bytes sent to all units in the second before `moment`.
    package mutating func bytesPerSecond(at moment: Duration) -> Int { speed.bytesPerSecond(at: moment) }

    /// The estimated seconds until the run is done; nil while they are not known, and while no unit is started.
    package func secondsLeft(at moment: Duration) -> Double? {
        guard hold == nil, !isEnding, !isPast else { return nil }
        let running = units.filter { $0.attempt != nil }.map { (moment - $0.began) / .seconds(1) }
        return rate.secondsLeft(waiting: units.count { $0.status == .waiting }, running: running)
    }

    package mutating func pace(at moment: Duration) -> RunEvent {
        .pace(bytesPerSecond: bytesPerSecond(at: moment), secondsLeft: secondsLeft(at: moment))
    }
}

// MARK: The journal's record

extension RunState {
    /// Completes the state with the journal's record of a run. What events of the same run have reported is newer, and is
    /// kept. The record of an earlier run than that of the events is ignored.
    package mutating func complete(with record: TrayRecord) {
        let before = self
        let isSame = hasEvents && run?.id == record.id
        let session = record.sessions.last
        let ours = run?.sessions.last?.began
        if hasEvents, !isSame, let began = session?.began, let ours, began < ours { return }
        self = RunState(units: Array(record.units.prefix(Self.mostUnits)))
        adapters =
            session?.adapters.map {
                var adapter = Adapter($0.name)
                adapter.limit = $0.limit
                return adapter
            } ?? []
        var header = record
        (header.units, header.holds, header.sessions) = ([], [], record.sessions.suffix(1))
        (run, isPast) = (header, session?.ended != nil)
        firmware = record.units.lazy.flatMap(\.attempts).compactMap(\.firmware).first
        if !isPast, let last = record.holds.last, last.released == nil { hold = last }
        guard isSame else { return }
        (hasEvents, changed, reported) = (true, before.changed, before.reported)
        (speed, rate, adapters) = (before.speed, before.rate, before.adapters)
        for unit in before.units where changed.contains(unit.record.slot) {
            guard let place = place(of: unit.record.slot) else { continue }
            units[place] = unit.completed(by: units[place].record)
        }
        (isEnding, firmware) = (before.isEnding, before.firmware ?? firmware)
        run?.isSimulated = before.run?.isSimulated
        guard !before.hasGap else { return }
        (hold, isPast) = (before.hold, before.isPast)
        if !header.sessions.isEmpty { run?.sessions[0].ended = before.run?.sessions.last?.ended }
    }
}

// MARK: Units

extension RunState {
    /// A unit of a run: its record, and the progress of its attempt.
    package struct Unit: Hashable, Sendable {
        /// The unit's record, without the running attempt.
        package fileprivate(set) var record: UnitRecord
        package fileprivate(set) var attempt: AttemptRecord?
        package private(set) var began = Duration.zero
        package private(set) var phase: UpdatePhase?
        /// The bytes sent in the last attempt; nil before the first.
        package private(set) var sent: Int?
        /// The bytes to send; 0 while not known.
        package private(set) var total = 0
        /// The speed over the last second, while firmware is sent.
        package private(set) var bytesPerSecond: Double?
        /// Since when the attempt has made no progress, if it has stalled; otherwise nil.
        package private(set) var stalled: Duration?
        /// When the attempt last made progress.
        private var lastProgress = Duration.zero
        /// The outcome before the unit was tried again, which counts until there is a new one.
        private var before: UnitOutcome?
        private var hadLink = false
        /// Whether the attempt had begun when the hold began: it then gets no first link before the release.
        fileprivate var isHeld = false

        package init(_ record: UnitRecord) {
            self.record = record
            let last = record.attempts.last
            if record.verdict == nil, last != nil, last?.verdict == nil {
                attempt = self.record.attempts.popLast()
            }
            (sent, total) = (last?.transfer?.bytes, last?.firmware?.bytes ?? 0)
        }

        package var status: UnitStatus {
            if attempt != nil {
                if isHeld, !hadLink { return .waiting }
                return stalled == nil ? .running : .stalled
            }
            return UnitStatus(record.verdict?.outcome)
        }

        /// The share of the firmware that was sent, from 0 to 1; nil if nothing was to be sent.
        package var share: Double? {
            if status == .passed { return 1 }
            guard total > 0, let sent else { return nil }
            return max(0, min(1, Double(sent) / Double(total)))
        }

        /// Seconds until the unit's firmware is sent, at the speed of the last second; nil while nothing is sent.
        package var secondsLeft: Double? {
            guard let sent, let bytesPerSecond, bytesPerSecond > 0 else { return nil }
            return min(1e6, max(0, Double(total) - Double(sent)) / bytesPerSecond)
        }

        package var latest: AttemptRecord? { attempt ?? record.attempts.last }

        /// The outcome, or else the outcome before the unit was tried again, if it reflects the unit; otherwise nil.
        package var yieldOutcome: UnitOutcome? { status.outcome.flatMap { $0.isOfUnit ? $0 : nil } ?? before }
    }
}

extension RunState.Unit {
    fileprivate mutating func begin(_ attempt: AttemptRecord, at moment: Duration) {
        before = yieldOutcome
        record.attempts.removeAll { $0.number >= attempt.number }
        record.verdict = nil
        self.attempt = attempt
        (began, lastProgress, stalled, phase) = (moment, moment, nil, .connecting)
        (sent, total, bytesPerSecond) = (nil, 0, nil)
        (hadLink, isHeld) = (false, false)
    }

    /// Applies an event that does not begin or end an attempt.
    fileprivate mutating func apply(_ name: RunEvent.Name, _ event: RunEvent, at moment: Duration) {
        switch name {
        case .found: return event.writeIdentity(to: &record)
        case .started:
            attempt?.firmware = event.firmware
            attempt?.versionBefore = event.versionFrom
            total = event.bytes ?? total
            return
        case .warning:
            attempt?.warnings.append(
                AttemptRecord.Warning(FailureCode(named: event.code ?? ""), event.message ?? ""))
            return
        case .stalled: return (stalled, bytesPerSecond) = (lastProgress, nil)
        case .phase:
            phase = event.name.flatMap(UpdatePhase.init)
            if phase != .transferring { bytesPerSecond = nil }
            if phase != .connecting { hadLink = true }
        case .progress:
            guard event.sent != sent || event.total ?? total != total else { return }
            (sent, total) = (event.sent, event.total ?? total)
            bytesPerSecond = event.bytesPerSecond.map { max(0, $0) }
        case .disconnected: bytesPerSecond = nil
        case .connected: hadLink = true
        case .resumed, .retry: break
        default: return
        }
        (lastProgress, stalled) = (moment, nil)
    }

    fileprivate mutating func close() -> AttemptRecord? {
        guard let ended = attempt else { return nil }
        (attempt, phase, bytesPerSecond, stalled) = (nil, nil, nil, nil)
        record.attempts.append(ended)
        return ended
    }

    fileprivate mutating func end(_ event: RunEvent) {
        record.verdict = event.verdict
        record.address = event.device ?? record.address
        guard let last = record.attempts.indices.last else { return }
        record.attempts[last].versionBefore = event.versionFrom ?? record.attempts[last].versionBefore
        (record.attempts[last].versionAfter, record.attempts[last].verified) = (event.version, event.verified)
    }

    /// The unit with the values that only `recorded`, its record in the journal, has: its selector, whether it is the
    /// golden unit, and attempts before the first event.
    fileprivate func completed(by recorded: UnitRecord) -> RunState.Unit {
        var unit = self
        (unit.record.isGolden, unit.record.device) = (recorded.isGolden, recorded.device)
        let first = record.attempts.first?.number ?? attempt?.number ?? .max
        unit.record.attempts = recorded.attempts.filter { $0.number < first } + record.attempts
        return unit
    }
}
