import Tray

/// A run in equal pieces of its time: how fast all of it was, and how many units were at work.
struct RunCourse: Sendable {
    private static let mostPieces = 240
    /// How many seconds a piece has, at least one.
    let step: Double
    /// Bytes a second, all units together.
    private(set) var speeds: [Double]
    /// Units at work, on the average.
    private(set) var units: [Double]

    /// The course of `record` by `clock`.
    init(_ record: TrayRecord, _ clock: RunClock) {
        let total = max(1, min(clock.total, 1e9))
        step = max(1, (total / Double(Self.mostPieces)).rounded(.up))
        let count = Int((total / step).rounded(.up))
        (speeds, units) = (Array(repeating: 0, count: count), Array(repeating: 0, count: count))
        for attempt in record.units.lazy.flatMap(\.attempts) {
            let begin = clock.seconds(attempt.began, session: attempt.session)
            for speed in attempt.speeds where speed.bytesPerSecond.isFinite {
                // What came in the second before.
                speeds[piece(begin + speed.at - 0.5)] += max(0, speed.bytesPerSecond) / step
            }
            let end = min(begin + attempt.knownSeconds, total)
            for index in piece(begin)...max(piece(begin), piece(end)) {
                let (from, to) = (Double(index) * step, Double(index + 1) * step)
                units[index] += max(0, min(end, to) - max(begin, from)) / step
            }
        }
    }

    private func piece(_ seconds: Double) -> Int {
        guard seconds.isFinite else { return 0 }
        return Int(min(max(0, seconds / step), Double(speeds.count - 1)))
    }
}
