/// When a device's flash will be done with an object, as far as a sender can tell: never too early, as long as the
/// flash is no slower than was assumed (nordic-secure.md, Timing).
enum FlashForecast: Equatable, Sendable {
    /// Bootloaders of SDK 15 and later.
    case queue(QueueForecast)
    /// Bootloaders of SDK 12 to 14.
    case ring(RingForecast)

    /// When the erase, and whatever was queued before it, is done.
    var erased: Duration {
        switch self {
        case .queue(let queue): queue.erased
        case .ring(let ring): ring.erased
        }
    }

    /// Packets that it is worth waiting for: waking up for every single one would keep a processor busy.
    var handful: Int {
        switch self {
        case .queue(let queue): queue.handful
        case .ring(let ring): ring.handful
        }
    }

    /// When everything so far is written.
    var idle: Duration {
        switch self {
        case .queue(let queue): queue.idle
        case .ring(let ring): ring.idle
        }
    }

    /// How many packets may leave at `now`.
    func room(at now: Duration) -> Int {
        switch self {
        case .queue(let queue): queue.room(at: now)
        case .ring(let ring): ring.room(at: now)
        }
    }

    /// Whether it matters when packets have arrived.
    var wantsReceipts: Bool {
        switch self {
        case .queue(let queue): queue.timeout != nil
        case .ring: true
        }
    }

    /// Whether the receipt of packet `number` should be here, where it matters that it is not.
    func isOverdue(_ number: Int, at now: Duration) -> Bool {
        switch self {
        case .queue(let queue): queue.isOverdue(number, at: now)
        case .ring(let ring): ring.isOverdue(number, at: now)
        }
    }

    /// When there is room for `count` more, which is at most a handful.
    func moment(for count: Int) -> Duration {
        switch self {
        case .queue(let queue): queue.moment(for: count)
        case .ring(let ring): ring.moment(for: count)
        }
    }

    /// `count` packets have left, evenly between two moments: the first as soon as it could, the others when there
    /// was room in the queue of the link.
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

    /// All but the last `outstanding` packets had arrived `by` a moment, as was seen at another; not before that was to
    /// be expected, where it was `awaited`.
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
