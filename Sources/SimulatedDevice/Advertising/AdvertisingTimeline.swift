import BluetoothTypes

/// Moments that come again and again: `phase`, and every `period` from then on.
struct AdvertisingTimeline: Hashable, Sendable {
    let period: Duration
    let phase: Duration

    init(period: Duration, phase: Duration) {
        self.period = period
        self.phase = phase
    }

    /// Those of a beacon at `address` that sends every `period`: not all beacons do at the same moments.
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

    /// The first one after `now`.
    func next(after now: Duration) -> Duration { moment(count(through: now)) }

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
