/// Predicts when a device's flash has written an object: never too early, unless the flash is slower than assumed
/// (nordic-secure.md, Timing).
enum FlashForecast: Equatable, Sendable {
    /// Bootloaders of SDK 15 and later.
    case queue(QueueForecast)
    /// Bootloaders of SDK 12 to 14.
    case ring(RingForecast)

    /// When the erase, and everything queued before it, is done.
    var erased: Duration {
        switch self {
        case .queue(let queue): queue.erased
        case .ring(let ring): ring.erased
        }
    }

    /// The number of packets to wait for: waking for every single one would keep the CPU busy.
    var handful: Int {
        switch self {
        case .queue(let queue): queue.handful
        case .ring(let ring): ring.handful
        }
    }

    /// When everything sent so far is written.
    var idle: Duration {
        switch self {
        case .queue(let queue): queue.idle
        case .ring(let ring): ring.idle
        }
    }

    func room(at now: Duration) -> Int {
        switch self {
        case .queue(let queue): queue.room(at: now)
        case .ring(let ring): ring.room(at: now)
        }
    }

    var wantsReceipts: Bool {
        switch self {
        case .queue(let queue): queue.timeout != nil
        case .ring: true
        }
    }

    /// Whether the receipt of packet `number` is overdue, if that matters.
    func isOverdue(_ number: Int, at now: Duration) -> Bool {
        switch self {
        case .queue(let queue): queue.isOverdue(number, at: now)
        case .ring(let ring): ring.isOverdue(number, at: now)
        }
    }

    /// When there is capacity for `count` more packets, at most a handful.
    func moment(for count: Int) -> Duration {
        switch self {
        case .queue(let queue): queue.moment(for: count)
        case .ring(let ring): ring.moment(for: count)
        }
    }

    /// Records that `count` packets were sent, evenly spread between two moments: the first as soon as possible, the
    /// others as the link's queue had capacity.
    mutating func send(_ count: Int, from start: Duration, to end: Duration) {
        switch self {
        case .queue(var queue):
            queue.send(count, from: start, to: end)
            self = .queue(queue)
        case .ring(var ring):
            ring.send(count, from: start, to: end)
            self = .ring(ring)
        }
    }

    /// Records that all but the last `outstanding` packets arrived by `moment`, as seen at `seen`. `awaited`:
    /// they did not arrive before that.
    mutating func note(
        outstanding: Int, seen: Duration, by moment: Duration, interval: Duration, awaited: Bool
    ) {
        switch self {
        case .queue(var queue):
            guard awaited else { return }
            queue.note(outstanding: outstanding, at: seen - interval)
            self = .queue(queue)
        case .ring(var ring):
            ring.note(outstanding: outstanding, seen: seen, by: moment, awaited: awaited)
            self = .ring(ring)
        }
    }
}
