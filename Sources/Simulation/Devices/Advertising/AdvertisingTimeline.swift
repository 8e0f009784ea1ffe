import Bluetooth

/// Periodic moments: `phase`, and every `period` after it.
struct AdvertisingTimeline: Hashable, Sendable {
    let period: Duration
    let phase: Duration

    init(period: Duration, phase: Duration) {
        self.period = period
        self.phase = phase
    }

    /// The timeline of a beacon at `address` that sends every `period`; the phase depends on the address, so that
    /// beacons do not all send at once.
    init(every period: Duration, at address: DeviceAddress) {
        // FNV-1a (Fowler, Noll, Vo).
        let hash = address.bytes.reduce(into: 0xCBF2_9CE4_8422_2325 as UInt64) {
            $0 = ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        let length = UInt64(clamping: max(1, period.nanoseconds))
        self.init(period: period, phase: .nanoseconds(Int64(clamping: hash % length)))
    }

    /// Whether one of them is after `earlier` and not after `now`.
    func comes(after earlier: Duration, through now: Duration) -> Bool {
        count(through: now) > count(through: earlier)
    }

    /// The first moment after `now`.
    func next(after now: Duration) -> Duration { moment(count(through: now)) }

    /// The number of moments up to and including `moment`.
    func count(through moment: Duration) -> Int {
        guard moment >= phase, period > .zero else { return 0 }
        return Int(clamping: (moment - phase).nanoseconds / max(1, period.nanoseconds)) + 1
    }

    /// The moment with this index, from 0.
    func moment(_ index: Int) -> Duration { phase + period * index }
}

extension Duration {
    /// The duration in whole nanoseconds, the resolution of clocks.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }
}
