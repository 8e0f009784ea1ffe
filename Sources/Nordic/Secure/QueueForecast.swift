/// A flash queue of single packets, as bootloaders of SDK 15 and later have it (nordic-secure.md, Timing).
///
/// The erase queued by Create takes a place of the flash queue until it is done, and each packet takes one until it
/// is written. Packets that were sent arrive together in the next connection event, and are written one after the
/// other.
struct QueueForecast: Equatable, Sendable {
    /// When the erase, and everything queued before it, is done.
    let erased: Duration
    let burst: Int
    /// Packets that may wait for the flash after it.
    let backlog: Int
    let packetTime: Duration
    /// The longest time from sending a packet to its arrival.
    let delay: Duration
    /// The time after sending a packet when its receipt is overdue, if that matters: the link is repeating packets
    /// then, and delivers the delayed ones in events that follow each other faster than the flash can write.
    let timeout: Duration?
    /// When each packet sent so far is written, at the latest possible arrival.
    private var written: [Duration] = []
    private var left: [Duration] = []

    init(
        erased: Duration, burst: Int, backlog: Int, packetTime: Duration, delay: Duration,
        timeout: Duration? = nil
    ) {
        self.timeout = timeout
        self.erased = erased
        self.burst = burst
        self.backlog = backlog
        self.packetTime = packetTime
        self.delay = delay
    }

    /// The flash's work between two handfuls, at most: no event should stay empty meanwhile.
    private static let nap = Duration.milliseconds(4)

    /// The number of packets to wait for: waking for every single one of 20 bytes would keep the CPU busy.
    var handful: Int { min(max(1, min(backlog / 2, Int(Self.nap / packetTime))), 8) }

    var idle: Duration { written.last ?? erased }

    func room(at now: Duration) -> Int {
        guard now >= erased else { return max(0, burst - written.count) }
        return max(0, backlog - written.reversed().prefix { $0 > now }.count)
    }

    /// Whether the receipt of packet `number` is overdue at `now`, if that matters.
    func isOverdue(_ number: Int, at now: Duration) -> Bool {
        guard let timeout, left.indices.contains(number) else { return false }
        return left[number] + timeout < now
    }

    /// When there is capacity for `count` more packets, at most a backlog.
    func moment(for count: Int) -> Duration {
        let last = written.count + min(count, backlog) - backlog
        return last > 0 ? max(erased, written[last - 1]) : erased
    }

    /// Records that `count` packets were sent, evenly spread between two moments: the first as soon as possible, the
    /// others as the link's queue had capacity.
    mutating func send(_ count: Int, from start: Duration, to end: Duration) {
        for number in 0..<count {
            let moment = start + (end - start) * number / max(1, count - 1)
            left.append(moment)
            written.append(max(written.last ?? erased, erased, moment + delay) + packetTime)
        }
    }

    /// Records that all but the last `outstanding` packets arrived at `moment`, and not long before: they were not
    /// written earlier, and later ones are written one after the other.
    mutating func note(outstanding: Int, at moment: Duration) {
        var soonest = moment
        for index in written.indices.suffix(outstanding + 1) {
            written[index] = max(written[index], soonest)
            soonest = written[index] + packetTime
        }
    }
}
