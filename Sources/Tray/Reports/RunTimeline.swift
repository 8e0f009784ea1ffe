/// The time scale of a run, in seconds: its sessions one after the other, without the gaps between them.
struct RunClock: Sendable {
    private var spans: [Int: (began: RecordedTime, offset: Double, seconds: Double)] = [:]
    /// The starts of all sessions but the first, in seconds of this scale.
    private(set) var sessionStarts: [Double] = []
    private(set) var total = 0.0

    /// The time scale of `record`. A session that was cut off lasts until its last known moment.
    init(_ record: TrayRecord) {
        var lasts: [Int: RecordedTime] = [:]
        for attempt in record.units.lazy.flatMap(\.attempts) {
            let last = attempt.lastMoment
            lasts[attempt.session] = max(lasts[attempt.session] ?? last, last)
        }
        for session in record.sessions {
            let end = session.ended ?? lasts[session.number] ?? session.began
            let seconds = session.seconds ?? max(0, end.seconds(since: session.began))
            if total > 0 { sessionStarts.append(total) }
            spans[session.number] = (session.began, total, seconds)
            total += seconds
        }
    }

    /// Seconds from the run's start to `moment` in the session `number`.
    func seconds(_ moment: RecordedTime, session number: Int) -> Double {
        guard let span = spans[number] else { return 0 }
        return span.offset + min(max(0, moment.seconds(since: span.began)), span.seconds)
    }

    /// Seconds from the run's start to `moment` in any session; between two sessions, to the start of the later one.
    func seconds(_ moment: RecordedTime) -> Double {
        let number = spans.filter { $0.value.began <= moment }.max { $0.value.offset < $1.value.offset }?.key
        return number.map { seconds(moment, session: $0) } ?? 0
    }
}

extension AttemptRecord {
    fileprivate var lastMoment: RecordedTime {
        let last = seconds ?? max(phases.last?.at ?? 0, speeds.last?.at ?? 0)
        return RecordedTime(
            milliseconds: began.milliseconds + Int64(Figures.whole(min(max(0, last), 1e9) * 1000)))
    }

    var knownSeconds: Double { lastMoment.seconds(since: began) }
}

/// The timeline of a run in equal intervals: total speed, and the number of units at work.
package struct RunTimeline: Sendable {
    private static let mostPieces = 240
    /// The length of an interval in seconds, at least 1.
    package let step: Double
    /// The bytes per second sent to all units, for each interval.
    package private(set) var speeds: [Double]
    /// The average number of units at work, for each interval.
    private(set) var units: [Double]

    package init(_ record: TrayRecord) { self.init(record, RunClock(record)) }

    init(_ record: TrayRecord, _ clock: RunClock) {
        let total = max(1, min(clock.total, 1e9))
        step = max(1, (total / Double(Self.mostPieces)).rounded(.up))
        let count = Int((total / step).rounded(.up))
        (speeds, units) = (Array(repeating: 0, count: count), Array(repeating: 0, count: count))
        for attempt in record.units.lazy.flatMap(\.attempts) {
            let begin = clock.seconds(attempt.began, session: attempt.session)
            for part in attempt.accepted {
                let bytes = part.bytes / max(part.to - part.from, 1e-9)
                spread(bytes, begin + part.from, begin + part.to, over: \.speeds)
            }
            spread(1, begin, begin + attempt.knownSeconds, over: \.units)
        }
    }

    private mutating func spread(
        _ value: Double, _ begin: Double, _ end: Double, over pieces: WritableKeyPath<RunTimeline, [Double]>
    ) {
        guard value.isFinite else { return }
        for index in piece(begin)...max(piece(begin), piece(end)) {
            let (from, to) = (Double(index) * step, Double(index + 1) * step)
            self[keyPath: pieces][index] += value * max(0, min(end, to) - max(begin, from)) / step
        }
    }

    private func piece(_ seconds: Double) -> Int {
        guard seconds.isFinite else { return 0 }
        return Int(min(max(0, seconds / step), Double(speeds.count - 1)))
    }
}

extension AttemptRecord {
    /// The firmware bytes that were accepted in each interval (`from`, `to`: seconds after the start of the attempt),
    /// by the recorded speeds; scaled to the total sent if that is known.
    fileprivate var accepted: [(from: Double, to: Double, bytes: Double)] {
        var last = phases.last { $0.name == "transferring" && $0.at <= (speeds.first?.at ?? 0) }?.at
        var parts: [(from: Double, to: Double, bytes: Double)] = []
        for speed in speeds where speed.bytesPerSecond.isFinite && speed.at.isFinite {
            let from = min(last ?? speed.at - 1, speed.at)
            parts.append((from, speed.at, max(0, speed.bytesPerSecond) * (speed.at - from)))
            last = speed.at
        }
        let recorded = parts.reduce(0) { $0 + $1.bytes }
        guard let transfer, recorded > 0, transfer.bytes > 0 else { return parts }
        return parts.map { ($0.from, $0.to, $0.bytes * Double(transfer.bytes) / recorded) }
    }
}
