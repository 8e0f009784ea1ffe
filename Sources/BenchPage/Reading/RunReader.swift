public import Tray

/// Builds the state of a bench from its run's lines, as `beacon-dfu batch --json` prints them (docs/json.md), from the
/// run's record in the journal, or from both: the record has the whole tray, the lines have its events.
///
/// Lines come from another program: lines that are not understood are skipped and counted.
public struct RunReader: Sendable {
    /// The current state of the bench.
    public private(set) var bench: Bench
    /// The number of lines that were not understood.
    public private(set) var passedOver = 0

    /// The most units that are shown.
    static let mostUnits = 2000

    private var places: [String: Int] = [:]
    /// The slots with events in lines, and whether this run has sent any lines.
    private var told: Set<String> = []
    private var hasLines = false
    /// Whether lines were lost: the record has precedence until new lines arrive.
    private var hasGap = false

    /// A bench without data yet.
    public init(id: String, name: String) { bench = Bench(id: id, name: name) }

    /// Takes over the journal's record of a run. Data of a unit from lines of the same run is newer, and is kept. A
    /// record of an older run than that of the lines was read too early and is ignored.
    public mutating func take(_ record: TrayRecord) {
        let before = bench
        let isSame = hasLines && before.run?.id == record.id
        if hasLines, !isSame, let began = record.sessions.last?.began, let ours = before.run?.began,
            began < ours
        {
            return
        }
        bench.take(record)
        if isSame {
            for unit in before.units where told.contains(unit.slot) { keep(unit) }
            bench.adapters = before.adapters
            if !hasGap {
                (bench.hold, bench.isPast) = (before.hold, before.isPast)
                bench.run?.ended = before.run?.ended
            }
            bench.run?.isSimulated = before.run?.isSimulated ?? false
            if let firmware = before.run?.firmware { bench.run?.firmware = firmware }
        } else {
            (told, hasLines, bench.isEnding) = ([], false, false)
            (bench.ends, bench.bytesPerSecond) = (nil, nil)
        }
        hasGap = false
        if bench.isPast { bench.silence = nil }
        places = Dictionary(
            bench.units.enumerated().map { ($1.slot, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Keeps the data of a unit from lines, in its place in the tray.
    private mutating func keep(_ unit: PageUnit) {
        var unit = unit
        guard let place = bench.units.firstIndex(where: { $0.slot == unit.slot }) else {
            bench.units.append(unit)
            return
        }
        unit.isGolden = bench.units[place].isGolden
        bench.units[place] = unit
    }

    /// Sets the state of the outbox.
    public mutating func note(outbox: Bench.Outbox?) { bench.outbox = outbox }

    /// Sets the catalogue that the bench uses.
    public mutating func note(catalogue: Bench.Catalogue?) { bench.catalogue = catalogue }

    /// Processes the line of JSON `line`, received at `moment`.
    public mutating func take(line: some Sequence<UInt8>, at moment: RecordedTime) {
        guard let event = RunEvent(line) else {
            passedOver += 1
            // The writer drops lines for a slow reader, and marks that with a line that is not JSON.
            (hasGap, told) = (true, [])
            return
        }
        bench.silence = nil
        take(event, at: moment)
    }

    /// The run is alive, without new data.
    public mutating func hear() { bench.silence = nil }

    /// No further line will come: the run has ended, or its state is unknown.
    public mutating func fallSilent(_ reason: String, at moment: RecordedTime) {
        guard !bench.isPast, bench.silence == nil else { return }
        bench.silence = Bench.Silence(since: moment, reason: reason)
    }

    private mutating func take(_ event: RunEvent, at moment: RecordedTime) {
        switch event.name {
        case "batch-started": begin(event, at: moment)
        case "batch-finished": finish(event, at: moment)
        case "links", "adapter-gone", "adapter-back": adapter(event)
        case "held":
            bench.hold = Bench.Hold(
                code: event["code"] ?? "held", message: event["message"] ?? "", since: moment)
        case "released": bench.hold = nil
        case "pace": pace(event, at: moment)
        case "warning" where event.slot == nil: if event["code"] == "stopping" { bench.isEnding = true }
        default:
            guard event.slot != nil else {
                if event.name == "failed" { fail(event, at: moment) }
                return
            }
            unit(event, at: moment)
        }
        if bench.isPast || bench.hold != nil || bench.isEnding { bench.ends = nil }
        if bench.isPast { bench.bytesPerSecond = nil }
    }

    // MARK: The run

    private mutating func begin(_ event: RunEvent, at moment: RecordedTime) {
        let id = event["run"] ?? ""
        if bench.run?.id != id { (bench.units, places, told) = ([], [:], []) }
        hasLines = true
        var run = bench.run?.id == id ? bench.run ?? Bench.Run(id: id) : Bench.Run(id: id)
        run.session = event.integer("session") ?? 1
        run.tray = event["tray"]
        run.expected = event.integer("expected")
        run.isSimulated = event.members["simulated"]?.bool ?? false
        (run.began, run.ended, run.limitedBy) = (moment, nil, nil)
        (bench.run, bench.hold, bench.isEnding, bench.isPast) = (run, nil, false, false)
        bench.adapters = (event.members["adapters"]?.list ?? []).prefix(64).compactMap(\.text).map(
            Bench.Adapter.init)
    }

    private mutating func finish(_ event: RunEvent, at moment: RecordedTime) {
        bench.run?.ended = moment
        bench.run?.limitedBy = event["limited_by"]
        (bench.hold, bench.isEnding, bench.isPast) = (nil, false, true)
        for index in bench.adapters.indices { bench.adapters[index].links = 0 }
    }

    /// The command has failed before or during its run.
    private mutating func fail(_ event: RunEvent, at moment: RecordedTime) {
        let words = [event["code"], event["message"], event["next_step"]].compactMap(\.self)
        bench.silence = Bench.Silence(since: moment, reason: words.joined(separator: ": "))
    }

    private mutating func adapter(_ event: RunEvent) {
        guard let name = event["adapter"], bench.adapters.count < 64 else { return }
        let place = bench.adapters.firstIndex { $0.name == name }
        if place == nil { bench.adapters.append(Bench.Adapter(name)) }
        let index = place ?? bench.adapters.count - 1
        switch event.name {
        case "adapter-gone": (bench.adapters[index].isThere, bench.adapters[index].links) = (false, 0)
        case "adapter-back": bench.adapters[index].isThere = true
        default:
            bench.adapters[index].links = event.integer("links") ?? 0
            bench.adapters[index].limit = event.integer("limit")
        }
    }

    private mutating func pace(_ event: RunEvent, at moment: RecordedTime) {
        bench.bytesPerSecond = event.number("bytes_per_second").map { max(0, $0) }
        let left = event.number("seconds_left").flatMap { (0..<1e7).contains($0) ? $0 : nil }
        let ends = left.map { RecordedTime(milliseconds: moment.milliseconds + Int64($0) * 1000) }
        // Small differences are ignored.
        if let ends, let before = bench.ends, abs(ends.seconds(since: before)) < 3 { return }
        bench.ends = ends
    }

    // MARK: The units

    private mutating func unit(_ event: RunEvent, at moment: RecordedTime) {
        guard let slot = event.slot else { return }
        if places[slot] == nil {
            guard bench.units.count < Self.mostUnits else { return }
            places[slot] = bench.units.count
            bench.units.append(PageUnit(slot: slot))
        }
        guard let place = places[slot] else { return }
        told.insert(slot)
        if event.name == "started", let firmware = event.firmware { bench.run?.firmware = firmware }
        bench.units[place].take(event)
    }
}

/// A line of `--json`.
struct RunEvent: Sendable {
    /// The most bytes of a line.
    static let mostBytes = 1 << 18
    /// The most characters of a text that is shown.
    static let mostCharacters = 1024

    let name: String
    let members: [String: PageValue]

    /// Parses `line`; nil if it is not an event of schema 1.
    init?(_ line: some Sequence<UInt8>) {
        let bytes = Array(line)
        guard bytes.count <= Self.mostBytes, case .object(let members)? = PageValue(parsing: bytes),
            let name = members["event"]?.text, members["schema"]?.integer == 1
        else { return nil }
        (self.name, self.members) = (name, members)
    }

    /// A text member.
    subscript(_ member: String) -> String? {
        members[member]?.text.map { String($0.prefix(Self.mostCharacters)) }
    }

    /// A whole number, clamped to the exactly representable range.
    func integer(_ member: String) -> Int? {
        members[member]?.integer.map { max(-1 << 53, min($0, 1 << 53)) }
    }
    func number(_ member: String) -> Double? { members[member]?.number }
    /// The slot of the unit concerned.
    var slot: String? { members["slot"]?.text.map { String($0.prefix(64)) } }

    /// The firmware in words.
    var firmware: String? {
        guard let file = self["file"] else { return nil }
        let name = file.split(separator: "/").last.map(String.init) ?? file
        return [name, self["version_to"]].compactMap(\.self).joined(separator: " · ")
    }
}

extension Bench {
    /// Takes over the journal's record of a run.
    mutating func take(_ record: TrayRecord) {
        var run = Run(id: record.id)
        let session = record.sessions.last
        run.session = session?.number ?? 1
        (run.tray, run.order, run.operatorName) = (record.tray, record.orderNumber, record.operatorName)
        (run.expected, run.began, run.ended) = (record.expected, session?.began, session?.ended)
        run.limitedBy = session?.limitedBy
        let file = record.units.lazy.flatMap(\.attempts).compactMap(\.firmware).first
        run.firmware = file.map { file in
            [file.path.split(separator: "/").last.map(String.init), file.version].compactMap(\.self)
                .joined(separator: " · ")
        }
        self.run = run
        name = record.station ?? name
        units = record.units.prefix(RunReader.mostUnits).map(PageUnit.init)
        adapters = (session?.adapters ?? []).map { adapter in
            var shown = Adapter(adapter.name)
            shown.limit = adapter.limit
            return shown
        }
        isPast = session?.ended != nil
        hold = nil
        if !isPast, let last = record.holds.last, last.released == nil {
            hold = Hold(code: last.code, message: last.message, since: last.began)
        }
    }
}

extension PageUnit {
    /// A unit from its record.
    init(_ record: UnitRecord) {
        self.init(slot: record.slot)
        (address, name, identifier, model) = (record.address, record.name, record.identifier, record.model)
        (isGolden, attempts, passedFirst) = (record.isGolden, record.attempts.count, record.passedFirst)
        let last = record.attempts.last
        (adapter, versionBefore) = (last?.adapter, last?.versionBefore)
        version = last?.versionAfter
        if let verdict = record.verdict {
            status = UnitStatus(verdict.outcome)
            (code, cause, nextStep) = (verdict.code, verdict.message, verdict.nextStep)
            stateWords = verdict.state?.words
        } else if let last, last.verdict == nil {
            (status, version) = (.running, last.firmware?.version)
        }
        if let sent = last?.transfer?.bytes, let all = last?.firmware?.bytes, all > 0 {
            share = min(1, Double(sent) / Double(all))
        }
    }
}
