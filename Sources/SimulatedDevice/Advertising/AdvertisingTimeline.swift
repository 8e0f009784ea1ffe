/// Moments that come again and again: `phase`, and every `period` from then on.
struct AdvertisingTimeline: Hashable, Sendable {
    let period: Duration
    let phase: Duration

    /// How many of them there are up to `moment`, itself included.
    func count(through moment: Duration) -> Int {
        guard moment >= phase, period > .zero else { return 0 }
        return Int(clamping: (moment - phase).nanoseconds / max(1, period.nanoseconds)) + 1
    }

    /// The one with this number, from 0.
    func moment(_ index: Int) -> Duration { phase + period * index }
}

extension Duration {
    /// In whole nanoseconds, as clocks have them.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }
}
