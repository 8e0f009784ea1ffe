import Tray

/// The time of a run: that of its sessions one after the other, without what lies between them.
struct RunClock: Sendable {
    private var spans: [Int: (began: RecordedTime, offset: Double, seconds: Double)] = [:]
    /// Where each session but the first begins.
    private(set) var seams: [Double] = []
    /// How long all sessions were together.
    private(set) var total = 0.0

    /// The time of `record`. A session that was cut off has lasted until the last that is known of it.
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

    /// Seconds after the run's begin of `moment` in the session `number`.
    func seconds(_ moment: RecordedTime, session number: Int) -> Double {
        guard let span = spans[number] else { return 0 }
        return span.offset + min(max(0, moment.seconds(since: span.began)), span.seconds)
    }

    /// Seconds after the run's begin of `moment`, in whichever session it was; of one between two, the later one's begin.
    func seconds(_ moment: RecordedTime) -> Double {
        let number = spans.filter { $0.value.began <= moment }.max { $0.value.offset < $1.value.offset }?.key
        return number.map { seconds(moment, session: $0) } ?? 0
    }
}

extension AttemptRecord {
    /// The last that is known of it.
    fileprivate var lastMoment: RecordedTime {
        let last = seconds ?? max(phases.last?.at ?? 0, speeds.last?.at ?? 0)
        return RecordedTime(
            milliseconds: began.milliseconds + Int64(Figures.whole(min(max(0, last), 1e9) * 1000)))
    }

    /// How long it took, as far as that is known.
    var knownSeconds: Double { lastMoment.seconds(since: began) }
}
