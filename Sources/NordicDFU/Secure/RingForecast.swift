/// A RAM ring before the flash, as bootloaders of SDK 12 to 14 have it (nordic-secure.md, Timing).
///
/// Bytes go to flash a chunk at a time, as soon as the chunk is full and the flash has done what came before it. A chunk
/// that comes round again overwrites what is not written yet, without a word. So a packet may arrive when the chunk in
/// whose place its last byte falls is in flash.
struct RingForecast: Equatable, Sendable {
    /// Bytes of a chunk.
    static let chunk = 128
    /// Packets of 20 bytes in an event of 7.5 ms on LE 2M, which is as long as a stock bootloader lets one be.
    static let eventPackets = 15
    private static let slack = Duration.milliseconds(3)

    /// What the ring and its link are like.
    struct Terms: Equatable, Sendable {
        /// Chunks of the ring.
        var chunks: Int
        /// Bytes of a packet.
        var payload: Int
        /// How long a chunk takes to be written.
        var chunkTime: Duration
        /// How long a packet takes to arrive: an interval, where nothing is lost.
        var delay: Duration
    }

    /// When the erase, and whatever was queued before it, is done.
    let erased: Duration
    let terms: Terms
    /// The first byte that is sent, of those of the object.
    let start: Int
    /// The object's size in bytes.
    let size: Int
    /// When each packet so far has left.
    private var left: [Duration] = []
    /// When each has arrived, at the latest.
    private var arrivals: [Duration] = []
    /// How many of them have arrived for sure.
    private var known = 0
    /// When each full chunk is written, from that of `start` on.
    private var written: [Duration] = []

    /// When the first packets have room.
    private let soonest: Duration

    init(erased: Duration, _ terms: Terms, start: Int, size: Int, soonest: Duration = .zero) {
        self.soonest = soonest
        self.erased = erased
        self.terms = terms
        self.start = start
        self.size = size
    }

    /// A chunk's worth.
    var handful: Int { max(1, Self.chunk / terms.payload) }

    /// When everything so far is written.
    var idle: Duration { written.last ?? erased }

    /// How many packets may leave at `now`.
    func room(at now: Duration) -> Int {
        var count = 0
        while let free = free(arrivals.count + count), free <= now { count += 1 }
        return count
    }

    /// When there is room for `count` more, which is at most a handful.
    func moment(for count: Int) -> Duration { free(arrivals.count + count - 1) ?? idle }

    /// Whether the receipt of packet `number` should be here at `now`: an interval to arrive, another one to come back.
    /// If it is not, the link holds packets back, and brings them in events that follow each other too quickly.
    func isOverdue(_ number: Int, at now: Duration) -> Bool {
        surplus > .zero && left.indices.contains(number)
            && left[number] + terms.delay * 2 + Self.slack < now
    }

    /// How much longer what an event can bring takes to be written than until the next event; else less than nothing.
    private var surplus: Duration {
        terms.chunkTime * (Self.eventPackets * terms.payload) / Self.chunk - terms.delay
    }

    /// `count` packets have left, evenly between two moments.
    mutating func send(_ count: Int, from start: Duration, to end: Duration) {
        for number in 0..<count {
            let moment = start + (end - start) * number / max(1, count - 1)
            left.append(moment)
            arrivals.append(moment + terms.delay)
        }
        written = chunks(by: arrivals)
    }

    /// All but the last `outstanding` packets had arrived `by` a moment at the latest, as was seen at another; not before,
    /// where that was `awaited`. Those after them that should have been there too are late: they come with the next
    /// event at the soonest.
    mutating func note(outstanding: Int, seen: Duration, by latest: Duration, awaited: Bool) {
        let knownBefore = known
        known = max(known, arrivals.count - outstanding)
        for index in arrivals.indices.dropFirst(knownBefore) {
            // A receipt that took two intervals took one of them to come back. A later one may have come at once.
            let isTimely = seen - left[index] <= terms.delay * 2 + Self.slack
            if index < known {
                let moment = min(latest, isTimely ? seen - terms.delay : seen)
                arrivals[index] = awaited ? moment : min(moment, arrivals[index])
            } else if !isTimely {
                arrivals[index] = max(arrivals[index], seen)
            }
        }
        written = chunks(by: arrivals)
    }

    /// Where packet `number` ends, counted from the object's first byte.
    private func end(of number: Int) -> Int { min(size, start + (number + 1) * terms.payload) }

    /// Whether packet `number` is one of the object's.
    private func exists(_ number: Int) -> Bool { start + number * terms.payload < size }

    /// The chunk that packet `number` needs to be written; negative where it needs none.
    private func needed(by number: Int) -> Int {
        // A packet may lie in two of them.
        (end(of: number) - 1) / Self.chunk - max(2, terms.chunks) - start / Self.chunk
    }

    /// When packet `number` has room; nil where there is none of that number, and as long as that hangs on what has
    /// not left yet.
    private func free(_ number: Int) -> Duration? {
        guard exists(number) else { return nil }
        let needed = needed(by: number)
        guard needed >= 0 else { return soonest }
        guard needed < written.count else { return nil }
        // The link repeats what it lost, and the events after that come too quickly for the flash.
        return written[needed] + max(.zero, surplus) / 2
    }

    /// When each full chunk is written if packets arrive at these moments.
    private func chunks(by arrivals: [Duration]) -> [Duration] {
        var written: [Duration] = []
        var idle = erased
        for (number, arrival) in arrivals.enumerated() {
            let end = end(of: number)
            while isFull(written.count, at: end) {
                idle = max(idle, arrival) + terms.chunkTime
                written.append(idle)
            }
        }
        return written
    }

    /// Whether a chunk, counted from that of `start`, goes to flash when all up to `end` has arrived.
    private func isFull(_ number: Int, at end: Int) -> Bool {
        let first = (start / Self.chunk + number) * Self.chunk
        return first + Self.chunk <= end || end == size && first < size
    }
}
