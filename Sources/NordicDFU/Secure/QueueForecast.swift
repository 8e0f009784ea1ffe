/// A flash queue of single packets, as bootloaders of SDK 15 and later have it (nordic-secure.md, Timing).
///
/// The erase that Create queues takes a place of the flash queue until it is done, and so does each packet
/// until it is written. Packets that were handed over arrive in the next connection event, all at once, and are
/// written one after the other.
struct QueueForecast: Equatable, Sendable {
    /// When the erase, and whatever was queued before it, is done.
    let erased: Duration
    /// Packets that find a place while that is not done.
    let burst: Int
    /// Packets that may wait for the flash once it is.
    let backlog: Int
    /// How long a packet takes to be written.
    let packetTime: Duration
    /// How long after it has left a packet may arrive.
    let delay: Duration
    /// How long after its packet has left a receipt is overdue, where it matters: the link repeats packets then, and what it
    /// holds back comes in events that follow each other more quickly than the flash can write.
    let timeout: Duration?
    /// When each packet so far is written, if it has arrived as late as it can.
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

    /// What the flash does of packets between two handfuls at most: an event that passes meanwhile should not be empty.
    private static let nap = Duration.milliseconds(4)

    /// Packets that it is worth waiting for: waking up for every single one of 20 bytes would keep a processor busy.
    var handful: Int { min(max(1, min(backlog / 2, Int(Self.nap / packetTime))), 8) }

    /// When everything so far is written.
    var idle: Duration { written.last ?? erased }

    /// How many packets may leave at `now`.
    func room(at now: Duration) -> Int {
        guard now >= erased else { return max(0, burst - written.count) }
        return max(0, backlog - written.reversed().prefix { $0 > now }.count)
    }

    /// Whether the receipt of packet `number` should be here at `now`, and it matters that it is not.
    func isOverdue(_ number: Int, at now: Duration) -> Bool {
        guard let timeout, left.indices.contains(number) else { return false }
        return left[number] + timeout < now
    }

    /// When there is room for `count` more, which is at most a backlog.
    func moment(for count: Int) -> Duration {
        let last = written.count + min(count, backlog) - backlog
        return last > 0 ? max(erased, written[last - 1]) : erased
    }

    /// `count` packets have left, evenly between two moments: the first as soon as it could, the others when there
    /// was room in the queue of the link.
    mutating func send(_ count: Int, from start: Duration, to end: Duration) {
        for number in 0..<count {
            let moment = start + (end - start) * number / max(1, count - 1)
            left.append(moment)
            written.append(max(written.last ?? erased, erased, moment + delay) + packetTime)
        }
    }

    /// All but the last `outstanding` packets had arrived at `moment`, and not long before: they were not written
    /// sooner, and those after them are written one after the other.
    mutating func note(outstanding: Int, at moment: Duration) {
        var soonest = moment
        for index in written.indices.suffix(outstanding + 1) {
            written[index] = max(written[index], soonest)
            soonest = written[index] + packetTime
        }
    }
}
