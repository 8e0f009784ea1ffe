/// Predicts when a device's flash has written an object. The prediction is never too early, unless the flash is slower
/// than assumed (nordic-secure.md, Timing).
protocol FlashForecast: Sendable {
    /// When the erase, and everything queued before it, is done.
    var erased: Duration { get }
    /// The number of packets to send at a time: waking up for each single packet would keep the CPU busy.
    var packetsAtOnce: Int { get }
    /// When everything sent so far is written.
    var idle: Duration { get }
    var wantsReceipts: Bool { get }

    /// The number of packets that may be sent at `now`.
    func capacity(at now: Duration) -> Int
    /// When `count` more packets may be sent; `count` is at most `packetsAtOnce`.
    func moment(for count: Int) -> Duration
    /// Whether the receipt of packet `number` is overdue, so that no packet may be sent before it.
    func isOverdue(_ number: Int, at now: Duration) -> Bool

    /// Records that packets were sent at these moments.
    mutating func send(at moments: [Duration])
    /// Records a receipt or response that came at `seen`: all but the last `outstanding` packets had arrived by
    /// `moment`. `isFresh`: it was received as it came, so the last of these packets did not arrive much earlier.
    mutating func note(
        outstanding: Int, seenAt seen: Duration, arrivedBy moment: Duration, interval: Duration, isFresh: Bool
    )
}

extension FlashForecast {
    /// Records `count` packets as sent at even intervals between two moments.
    mutating func send(_ count: Int, from start: Duration, to end: Duration) {
        send(at: (0..<count).map { start + (end - start) * $0 / max(1, count - 1) })
    }
}
