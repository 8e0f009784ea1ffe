import Tray
import UpdateModel

/// Builds the state of a bench from its run's lines, as `beacon-dfu batch --json` prints them (docs/json.md), from the
/// run's record in the journal, or from both: the record has the whole tray, the lines have its events.
///
/// Lines come from another program: lines that are not understood are skipped and counted.
struct RunReader: Sendable {
    var bench: Bench
    private(set) var skippedLines = 0

    private var state = RunState()
    /// Whether lines have reported the run's speed. Until then, the speed over time comes from the record.
    private var hasReportedSpeed = false

    init(id: String, name: String) { bench = Bench(id: id, name: name) }

    /// Applies the journal's record of a run, unless lines of a newer run have been read.
    mutating func apply(_ record: TrayRecord) {
        state.complete(with: record)
        guard state.run?.id == record.id, bench.scan == nil else { return }
        bench.name = record.station ?? bench.name
        bench.units = state.units.map(PageUnit.init)
        if !hasReportedSpeed { bench.speeds = SpeedTimeline(record) }
        updateBench()
        if bench.isPast { bench.silence = nil }
    }

    mutating func apply(line: some Sequence<UInt8>, at moment: RecordedTime) {
        guard let event = RunEvent(line: line) else {
            skippedLines += 1
            // The writer drops lines for a slow reader, and marks that with a line that is not JSON.
            return state.noteGap()
        }
        bench.silence = nil
        if event.event == SlotScan.event, let scan = SlotScan(line: line) {
            (bench.scan, bench.units, bench.run, bench.isPast) = (scan, scan.units, nil, false)
            return
        }
        if event.named == .runStarted, bench.scan != nil { (bench.scan, bench.units) = (nil, []) }
        if event.named == .failed, event.slot == nil {
            let words = [event.code, event.message, event.nextStep].compactMap(\.self)
            bench.silence = Bench.Silence(since: moment, reason: words.joined(separator: ": "))
        }
        let place = state.apply(event, at: .milliseconds(moment.milliseconds), time: moment)
        if state.units.count < bench.units.count { bench.units = [] }
        if let place {
            if place == bench.units.count { bench.units.append(PageUnit(state.units[place])) }
            bench.units[place] = PageUnit(state.units[place])
        }
        if event.named == .pace {
            estimate(event.secondsLeft, at: moment)
            if !hasReportedSpeed { (hasReportedSpeed, bench.speeds) = (true, SpeedTimeline()) }
            bench.speeds.note(event.bytesPerSecond ?? 0, at: moment)
        }
        updateBench()
    }

    /// Notes that no further line will come: the run has ended, or its state is unknown.
    mutating func fallSilent(_ reason: String, at moment: RecordedTime) {
        guard !bench.isPast, bench.silence == nil else { return }
        bench.silence = Bench.Silence(since: moment, reason: reason)
    }

    private mutating func updateBench() {
        bench.run = state.run.map { Bench.Run($0, state.firmware) }
        (bench.adapters, bench.isEnding, bench.isPast) = (state.adapters, state.isEnding, state.isPast)
        bench.hold = state.hold
        bench.bytesPerSecond = bench.isPast ? nil : state.reported?.bytesPerSecond.map { max(0, $0) }
        if state.reported == nil || bench.isPast || bench.hold != nil || bench.isEnding { bench.ends = nil }
    }

    private mutating func estimate(_ secondsLeft: Double?, at moment: RecordedTime) {
        let left = secondsLeft.flatMap { (0..<1e7).contains($0) ? $0 : nil }
        let ends = left.map { RecordedTime(milliseconds: moment.milliseconds + Int64($0) * 1000) }
        // Ignores differences below 3 s, so that the time shown does not jump.
        if let ends, let before = bench.ends, abs(ends.seconds(since: before)) < 3 { return }
        bench.ends = ends
    }
}

extension Bench.Run {
    /// The run of `record`, with start and end of its last session.
    fileprivate init(_ record: TrayRecord, _ firmware: FirmwareRecord?) {
        self.init(id: record.id)
        let session = record.sessions.last
        self.session = session?.number ?? 1
        (tray, order, operatorName) = (record.tray, record.orderNumber, record.operatorName)
        (expected, isSimulated) = (record.expected, record.isSimulated == true)
        (began, ended, limitedBy) = (session?.began, session?.ended, session?.limitedBy)
        self.firmware = firmware.map { file in
            [file.path.split(separator: "/").last.map(String.init), file.version].compactMap(\.self)
                .joined(separator: " · ")
        }
    }
}

extension PageUnit {
    init(_ unit: RunState.Unit) {
        let (record, latest) = (unit.record, unit.latest)
        self.init(record)
        self.address = record.address ?? latest.flatMap { $0.address.isEmpty ? nil : $0.address }
        (status, phase) = (unit.status, unit.phase?.rawValue)
        (share, bytesPerSecond, secondsLeft) = (unit.share, unit.bytesPerSecond, unit.secondsLeft)
        (attempts, adapter) = (latest?.number ?? 0, latest.flatMap { $0.adapter.isEmpty ? nil : $0.adapter })
        versionBefore = latest?.versionBefore
        version = unit.attempt == nil ? latest?.versionAfter : latest?.firmware?.version
        (passedFirst, outcomeBefore) = (record.passedFirst, unit.yieldOutcome)
        if let verdict = record.verdict {
            (code, cause, nextStep) = (verdict.code, verdict.message, verdict.nextStep)
            stateText = verdict.state?.words
        } else if unit.attempt == nil {
            code = latest?.verdict?.code
        }
    }
}
