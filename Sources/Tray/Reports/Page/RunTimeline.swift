/// The timeline of a run in equal intervals: total speed, and the number of units at work.
struct RunTimeline: Sendable {
    private static let mostPieces = 240
    /// Length of an interval in seconds, at least one.
    let step: Double
    /// Bytes per second, all units together.
    private(set) var speeds: [Double]
    /// Average number of units at work.
    private(set) var units: [Double]

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

    /// Adds `value` from `begin` to `end`.
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
    /// Firmware bytes between moments, in seconds after the start of the attempt: from the recorded speeds, scaled to
    /// the total sent if that is known.
    fileprivate var accepted: [(from: Double, to: Double, bytes: Double)] {
        var last = phases.last { $0.name == "transferring" && $0.at <= (speeds.first?.at ?? 0) }?.at
        var parts: [(from: Double, to: Double, bytes: Double)] = []
        for speed in speeds where speed.bytesPerSecond.isFinite && speed.at.isFinite {
            let from = min(last ?? speed.at - 1, speed.at)
            parts.append((from, speed.at, max(0, speed.bytesPerSecond) * (speed.at - from)))
            last = speed.at
        }
        let noted = parts.reduce(0) { $0 + $1.bytes }
        guard let transfer, noted > 0, transfer.bytes > 0 else { return parts }
        return parts.map { ($0.from, $0.to, $0.bytes * Double(transfer.bytes) / noted) }
    }
}
