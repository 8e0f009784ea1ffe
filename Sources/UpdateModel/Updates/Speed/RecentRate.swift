/// Bytes per second over the last second, from ten slots of a tenth each: constant memory, however long a transfer
/// lasts.
struct RecentRate: Sendable {
    private static let slotCount = 10
    private static let slotLength = Duration.milliseconds(100)
    private var slots = [Int](repeating: 0, count: slotCount)
    private var newest = 0
    private var start: Duration?

    mutating func add(_ count: Int, at now: Duration) {
        start = start ?? now
        advance(to: now)
        slots[newest % Self.slotCount] += count
    }

    mutating func rate(at now: Duration) -> Double {
        guard let start else { return 0 }
        advance(to: now)
        let span = min(max(now - start, Self.slotLength), .seconds(1))
        return Double(slots.reduce(0, +)) / span.seconds
    }

    private mutating func advance(to now: Duration) {
        let slot = Int(max(now, .zero) / Self.slotLength)
        guard slot > newest else { return }
        for stale in (newest + 1)...max(newest + 1, min(slot, newest + Self.slotCount)) {
            slots[stale % Self.slotCount] = 0
        }
        if slot > newest + Self.slotCount { slots = [Int](repeating: 0, count: Self.slotCount) }
        newest = slot
    }
}
