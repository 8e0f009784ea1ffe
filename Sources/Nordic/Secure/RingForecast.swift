/// The forecast for a RAM ring in front of the flash, as in bootloaders of SDK 12 to 14 (nordic-secure.md, Timing).
///
/// Bytes are written to flash in chunks, as soon as a chunk is full and the flash has finished its earlier work. When
/// the ring wraps round, a chunk silently overwrites one that is not written yet. So a packet may only arrive once
/// the chunk that its last byte replaces is in flash.
struct RingForecast: FlashForecast {
    /// Bytes per chunk.
    static let chunk = 128
    /// Packets of 20 bytes in an event of 7.5 ms on LE 2M, the longest event that a stock bootloader allows.
    static let eventPackets = 15
    private static let slack = Duration.milliseconds(3)

    let erased: Duration
    let chunks: Int
    let payload: Int
    let chunkTime: Duration
    /// The time from sending a packet to its arrival: one interval, if nothing is lost.
    let delay: Duration
    /// Offset of the first byte sent, from the start of the object.
    let start: Int
    let size: Int
    /// When packets may be sent that replace no chunk.
    var soonest = Duration.zero
    /// When each packet was sent, and when it is assumed to arrive.
    private(set) var sentAt: [Duration] = []
    private(set) var arrivals: [Duration] = []
    /// The number of packets that have certainly arrived.
    private(set) var known = 0
    /// When each full chunk is written, starting with the chunk of byte `start`.
    private(set) var written: [Duration] = []

    var packetsAtOnce: Int { max(1, Self.chunk / payload) }

    var idle: Duration { written.last ?? erased }
    var wantsReceipts: Bool { true }

    func capacity(at now: Duration) -> Int {
        var count = 0
        while let moment = sendMoment(of: arrivals.count + count), moment <= now { count += 1 }
        return count
    }

    func moment(for count: Int) -> Duration { sendMoment(of: arrivals.count + count - 1) ?? idle }

    /// A receipt is due two intervals after its packet was sent. If it is overdue, the link is delaying packets, and
    /// delivers them in events that follow each other too quickly for the flash.
    func isOverdue(_ number: Int, at now: Duration) -> Bool {
        surplus > .zero && sentAt.indices.contains(number) && sentAt[number] + delay * 2 + Self.slack < now
    }

    /// The write time for a full event beyond the interval until the next; negative if the flash is faster.
    private var surplus: Duration { chunkTime * (Self.eventPackets * payload) / Self.chunk - delay }

    mutating func send(at moments: [Duration]) {
        sentAt += moments
        arrivals += moments.map { $0 + delay }
        updateWritten()
    }

    /// Outstanding packets that should have arrived too are delayed: they arrive with the next event at the earliest.
    mutating func note(
        outstanding: Int, seenAt seen: Duration, arrivedBy latest: Duration, interval: Duration, isFresh: Bool
    ) {
        let knownBefore = known
        known = max(known, arrivals.count - outstanding)
        for index in arrivals.indices.dropFirst(knownBefore) {
            // A receipt within two intervals took one of them to return. A later one may have returned at once.
            let isTimely = seen - sentAt[index] <= delay * 2 + Self.slack
            if index < known {
                let moment = min(latest, isTimely ? seen - delay : seen)
                arrivals[index] = isFresh ? moment : min(moment, arrivals[index])
            } else if !isTimely {
                arrivals[index] = max(arrivals[index], seen)
            }
        }
        updateWritten()
    }

    /// Offset of the end of packet `number` from the start of the object.
    private func end(of number: Int) -> Int { min(size, start + (number + 1) * payload) }

    private func exists(_ number: Int) -> Bool { start + number * payload < size }

    /// The chunk that packet `number` overwrites, counted from the chunk of `start`; negative if there is none.
    private func replacedChunk(by number: Int) -> Int {
        // A packet may span two chunks.
        (end(of: number) - 1) / Self.chunk - max(2, chunks) - start / Self.chunk
    }

    /// When packet `number` may be sent; nil if the packet does not exist, or if this depends on packets not sent yet.
    private func sendMoment(of number: Int) -> Duration? {
        guard exists(number) else { return nil }
        let replacedChunk = replacedChunk(by: number)
        guard replacedChunk >= 0 else { return soonest }
        guard replacedChunk < written.count else { return nil }
        // Half the surplus is a margin: after the link has repeated packets, events come too quickly for the flash.
        return written[replacedChunk] + max(.zero, surplus) / 2
    }

    private mutating func updateWritten() {
        written = []
        for (number, arrival) in arrivals.enumerated() {
            let end = end(of: number)
            while isFull(written.count, at: end) { written.append(max(idle, arrival) + chunkTime) }
        }
    }

    /// Whether chunk `number`, counted from that of `start`, is written once everything up to `end` has arrived.
    private func isFull(_ number: Int, at end: Int) -> Bool {
        let first = (start / Self.chunk + number) * Self.chunk
        return first + Self.chunk <= end || end == size && first < size
    }
}
