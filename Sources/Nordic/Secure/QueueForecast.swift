/// The forecast for a flash queue of single packets, as in bootloaders of SDK 15 and later (nordic-secure.md, Timing).
///
/// The erase queued by Create takes a place of the flash queue until it is done, and each packet takes one until it is
/// written. Packets sent arrive together in the next event, and are written one after the other.
struct QueueForecast: FlashForecast {
    let erased: Duration
    /// The number of packets that may be sent before `erased`.
    let burst: Int
    /// The number of packets that may wait for the flash after `erased`.
    let backlog: Int
    /// The longest time to write a packet if the erase lasts until `erased`.
    let packetTime: Duration
    /// The longest time to write a packet if the erase takes no time. It differs from `packetTime` if only the sum of
    /// the times for the erase and all writes is known.
    let longestPacketTime: Duration
    /// The longest time from sending a packet to its arrival.
    let delay: Duration
    /// The time after sending a packet when its receipt is overdue. The link is then repeating packets, and delivers
    /// the delayed ones in events that follow each other faster than the flash can write. Nil if no receipt is awaited.
    var timeout: Duration?
    /// When each packet sent so far is written, if it arrives as late as possible.
    private(set) var written: [Duration] = []
    /// When all packets sent so far are written if the erase takes no time.
    private(set) var latest = Duration.zero
    /// When each packet was sent.
    private(set) var sentAt: [Duration] = []

    /// The longest time to write one group of packets: with longer groups, connection events would stay empty.
    private static let longestGroupTime = Duration.milliseconds(4)

    var packetsAtOnce: Int { min(max(1, min(backlog / 2, Int(Self.longestGroupTime / packetTime))), 8) }

    var idle: Duration { written.last ?? erased }
    var wantsReceipts: Bool { timeout != nil }

    func capacity(at now: Duration) -> Int {
        guard now >= erased else { return max(0, burst - written.count) }
        return max(0, backlog - written.reversed().prefix { $0 > now }.count)
    }

    func isOverdue(_ number: Int, at now: Duration) -> Bool {
        guard let timeout, sentAt.indices.contains(number) else { return false }
        return sentAt[number] + timeout < now
    }

    func moment(for count: Int) -> Duration {
        let last = written.count + min(count, backlog) - backlog
        return last > 0 ? max(erased, written[last - 1]) : erased
    }

    mutating func send(at moments: [Duration]) {
        for moment in moments {
            sentAt.append(moment)
            latest = max(latest, moment + delay) + longestPacketTime
            written.append(max(max(idle, erased, moment + delay) + packetTime, latest))
        }
    }

    mutating func note(
        outstanding: Int, seenAt seen: Duration, arrivedBy moment: Duration, interval: Duration, isFresh: Bool
    ) {
        if isFresh { note(outstanding: outstanding, at: seen - interval) }
    }

    /// Records that the last packet before the `outstanding` ones arrived at `moment`. It cannot be written earlier, and
    /// the outstanding ones are written after it.
    mutating func note(outstanding: Int, at moment: Duration) {
        var soonest = moment
        for index in written.indices.suffix(outstanding + 1) {
            written[index] = max(written[index], soonest)
            soonest = written[index] + longestPacketTime
        }
    }
}
