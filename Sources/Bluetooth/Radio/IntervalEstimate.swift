/// How often a device advertises, estimated from the times of its reports.
///
/// The gaps between reports are multiples of the interval, because some reports are missed. A low gap is the
/// first guess, each gap divided by its multiple is a better one, and their median is the answer. If the gaps
/// are not multiples of anything, there is none.
///
/// It works only on an adapter that reports every advertisement. The answer includes the random delay of 0 to
/// 10 ms that every advertising event has (Vol 6, Part B, 4.4.2.2.1).
struct IntervalEstimate: Hashable, Sendable {
    /// Reports closer together are one event: the advertisement, its scan response, the other channels. A
    /// device may advertise at most every 20 ms.
    private static let sameEvent = Duration.milliseconds(15)
    private static let fewestGaps = 5
    private static let mostGaps = 64
    /// A gap of more intervals than this tells nothing: any number is near a multiple of a small one.
    private static let mostMissed = 8.0
    /// How far a gap may be from a multiple, in intervals, in addition to the random delay.
    private static let tolerance = 0.15
    private static let randomDelay = Duration.milliseconds(10)

    private var gaps: [Duration] = []
    private var last: Duration?

    /// A report that came at `moment`.
    mutating func add(at moment: Duration) {
        guard let before = last else { return last = moment }
        guard moment - before >= Self.sameEvent else { return }
        last = moment
        gaps.append(moment - before)
        if gaps.count > Self.mostGaps { gaps.removeFirst() }
    }

    /// The time from one advertising event to the next; nil if it cannot be estimated.
    var value: Duration? {
        guard gaps.count >= Self.fewestGaps else { return nil }
        let sorted = gaps.sorted()
        let guess = refined(refined(sorted[sorted.count / 4]))
        let near = gaps.filter { gap in
            let count = multiple(of: guess, in: gap)
            let miss = gap - guess * count
            let isNear = max(miss, .zero - miss) <= max(guess * Self.tolerance, Self.randomDelay)
            return count >= 1 && count <= Self.mostMissed && isNear
        }
        guard near.count * 5 >= gaps.count * 4 else { return nil }
        return guess
    }

    private func refined(_ guess: Duration) -> Duration {
        let shares = gaps.compactMap { gap -> Duration? in
            let count = multiple(of: guess, in: gap)
            return count >= 1 && count <= Self.mostMissed ? gap / count : nil
        }
        return shares.isEmpty ? guess : shares.sorted()[shares.count / 2]
    }

    private func multiple(of interval: Duration, in gap: Duration) -> Double {
        max(1, (gap / interval).rounded())
    }
}
