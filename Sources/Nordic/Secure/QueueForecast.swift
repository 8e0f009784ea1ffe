/// A flash queue of single packets, as bootloaders of SDK 15 and later have it (nordic-secure.md, Timing).
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
    /// The same if the erase takes no time: longer, if only the time for an erase and all writes together is known.
    let longestPacketTime: Duration
    /// The longest time from sending a packet to its arrival.
    let delay: Duration
    /// The time after sending a packet when its receipt is overdue: the link is repeating packets then, and delivers
    /// the delayed ones in events that follow each other faster than the flash can write. Nil if none is waited for.
    var timeout: Duration?
    /// When each packet sent so far is written, at the latest possible arrival.
    private(set) var written: [Duration] = []
    /// When all packets sent so far are written if the erase takes no time.
    private(set) var latest = Duration.zero
    /// When each packet was sent.
    private(set) var left: [Duration] = []

    /// The longest time for which the flash writes a group of packets, so that no event stays empty meanwhile.
    private static let longestGroupTime = Duration.milliseconds(4)

    var packetsAtOnce: Int { min(max(1, min(backlog / 2, Int(Self.longestGroupTime / packetTime))), 8) }

    var idle: Duration { written.last ?? erased }
    var wantsReceipts: Bool { timeout != nil }

    func room(at now: Duration) -> Int {
        guard now >= erased else { return max(0, burst - written.count) }
        return max(0, backlog - written.reversed().prefix { $0 > now }.count)
    }

    func isOverdue(_ number: Int, at now: Duration) -> Bool {
        guard let timeout, left.indices.contains(number) else { return false }
        return left[number] + timeout < now
    }

    func moment(for count: Int) -> Duration {
        let last = written.count + min(count, backlog) - backlog
        return last > 0 ? max(erased, written[last - 1]) : erased
    }

    mutating func send(at moments: [Duration]) {
        for moment in moments {
            left.append(moment)
            latest = max(latest, moment + delay) + longestPacketTime
            written.append(max(max(idle, erased, moment + delay) + packetTime, latest))
        }
    }

    mutating func note(
        outstanding: Int, seen: Duration, by moment: Duration, interval: Duration, awaited: Bool
    ) {
        if awaited { note(outstanding: outstanding, at: seen - interval) }
    }

    /// Records that all but the last `outstanding` packets arrived at `moment`, and not long before: the last of them
    /// was not written earlier, and the outstanding ones are written after it, one after the other.
    mutating func note(outstanding: Int, at moment: Duration) {
        var soonest = moment
        for index in written.indices.suffix(outstanding + 1) {
            written[index] = max(written[index], soonest)
            soonest = written[index] + longestPacketTime
        }
    }
}
