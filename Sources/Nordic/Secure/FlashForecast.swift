/// Predicts when a device's flash has written an object: never too early, unless the flash is slower than assumed
/// (nordic-secure.md, Timing).
protocol FlashForecast: Sendable {
    /// When the erase, and everything queued before it, is done.
    var erased: Duration { get }
    /// The number of packets that are sent at a time: to wake up for every single one would keep the CPU busy.
    var packetsAtOnce: Int { get }
    /// When everything sent so far is written.
    var idle: Duration { get }
    var wantsReceipts: Bool { get }

    /// The number of packets for which there is capacity.
    func room(at now: Duration) -> Int
    /// When there is capacity for `count` more packets, at most `packetsAtOnce`.
    func moment(for count: Int) -> Duration
    /// Whether the receipt of packet `number` is overdue, so that no packet may be sent before it.
    func isOverdue(_ number: Int, at now: Duration) -> Bool

    /// Records that packets were sent at these moments.
    mutating func send(at moments: [Duration])
    /// Records that all but the last `outstanding` packets arrived by `moment`, by a receipt or response that came at
    /// `seen`. `awaited`: it was not buffered, so the last of these packets did not arrive much earlier.
    mutating func note(
        outstanding: Int, seen: Duration, by moment: Duration, interval: Duration, awaited: Bool)
}

extension FlashForecast {
    /// Records `count` packets, sent evenly between two moments: each as soon as the link's queue had capacity.
    mutating func send(_ count: Int, from start: Duration, to end: Duration) {
        send(at: (0..<count).map { start + (end - start) * $0 / max(1, count - 1) })
    }
}
