/// The time of a run: its sessions one after the other, without the gaps between them.
struct RunClock: Sendable {
    private var spans: [Int: (began: RecordedTime, offset: Double, seconds: Double)] = [:]
    /// The starts of all sessions but the first.
    private(set) var seams: [Double] = []
    /// The total duration of all sessions.
    private(set) var total = 0.0

    /// The time of `record`. A session that was cut off lasts until its last known moment.
    init(_ record: TrayRecord) {
        var lasts: [Int: RecordedTime] = [:]
        for attempt in record.units.lazy.flatMap(\.attempts) {
            let last = attempt.lastMoment
            lasts[attempt.session] = max(lasts[attempt.session] ?? last, last)
        }
        for session in record.sessions {
            let end = session.ended ?? lasts[session.number] ?? session.began
            let seconds = session.seconds ?? max(0, end.seconds(since: session.began))
            if total > 0 { seams.append(total) }
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
    /// Its last known moment.
    fileprivate var lastMoment: RecordedTime {
        let last = seconds ?? max(phases.last?.at ?? 0, speeds.last?.at ?? 0)
        return RecordedTime(
            milliseconds: began.milliseconds + Int64(Figures.whole(min(max(0, last), 1e9) * 1000)))
    }

    /// Its duration, as far as it is known.
    var knownSeconds: Double { lastMoment.seconds(since: began) }
}
