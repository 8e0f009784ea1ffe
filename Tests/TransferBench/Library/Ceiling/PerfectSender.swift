import Simulation

/// A Secure DFU conversation without unnecessary waits, as arithmetic.
struct PerfectSender {
    private static let objectSize = 4096
    private static let ringChunks = 4

    /// When the last answer came; the next packet is ready then.
    private(set) var now = Duration.zero
    /// Time between the first and the last packet of every object, in whole events.
    private(set) var carrying = Duration.zero
    private(set) var requests = 0
    private(set) var erasing = Duration.zero
    private(set) var writing = Duration.zero

    private var up: ConnectionEvents
    private var down: ConnectionEvents
    private let personality: SecurePersonality
    private let timing: FlashTiming
    /// The end of each flash operation that can still be in the queue.
    private var done: [Duration] = []
    /// The time at which each chunk of the current object is in flash, if a RAM ring precedes the flash.
    private var chunks: [Duration] = []

    init(_ link: LinkModel, _ personality: SecurePersonality, _ timing: FlashTiming) {
        var link = link
        link.loss = 0
        up = ConnectionEvents(link)
        down = ConnectionEvents(link)
        self.personality = personality
        self.timing = timing
    }

    mutating func send(_ cargo: TransferCeiling.Cargo) {
        // The descriptor is found, then written.
        exchange(5, 6)
        exchange(5, 1)
        request(3, 3)  // Set PRN
        request(2, 15)  // Select
        request(6, 3)  // Create
        stream(cargo.initPacket, by: cargo.payload, toFlash: false)
        request(1, 11)  // Get CRC
        let executed = request(1, 3)
        settings(personality.settingsAtInit, at: executed)
        request(2, 15)
        for start in stride(from: 0, to: cargo.image, by: Self.objectSize) {
            sendObject(
                of: min(Self.objectSize, cargo.image - start), by: cargo.payload,
                isLast: start + Self.objectSize >= cargo.image)
        }
    }

    private mutating func sendObject(of count: Int, by payload: Int, isLast: Bool) {
        let created = request(6, 3)
        erase(at: created)
        stream(count, by: payload, toFlash: true)
        request(1, 11)
        // Without a barrier the last Execute must not precede the end of the flash writes: the image is hashed at once.
        let idle = request(1, 3, barrier: ring == nil || isLast, early: ring == nil)
        if let cost = personality.settingsAtObject { settings(cost, at: idle) }
    }

    // MARK: On the air

    /// A request and its answer.
    private mutating func exchange(_ request: Int, _ answer: Int) {
        requests += 1
        now = down.arrival(of: answer, readyAt: up.arrival(of: request, readyAt: now))
    }

    /// A Control Point request and the notification that answers it; returns when the device acts.
    @discardableResult private mutating func request(
        _ count: Int, _ answer: Int, barrier: Bool = false, early: Bool = true
    ) -> Duration {
        requests += 1
        let soonest = barrier && !early ? done.last ?? .zero : .zero
        let arrived = up.arrival(of: count + 3, readyAt: max(now, soonest))
        _ = down.arrival(of: 1, readyAt: arrived)
        let acts = barrier ? max(arrived, done.last ?? .zero) : arrived
        now = down.arrival(of: answer + 3, readyAt: acts)
        return acts
    }

    /// Packets; a packet for the flash arrives no sooner than the queue has a place for it.
    private mutating func stream(_ count: Int, by payload: Int, toFlash: Bool) {
        var first: Int?
        chunks = []
        for start in stride(from: 0, to: count, by: payload) {
            let packet = min(payload, count - start)
            let soonest = toFlash ? room(at: start + packet) - up.model.exchange(packet: packet + 3) : .zero
            let arrived = up.arrival(of: packet + 3, readyAt: max(now, soonest))
            first = first ?? up.event
            if toFlash { take(packet, upTo: start + packet, of: count, at: arrived) }
        }
        carrying += up.model.interval * (up.event - (first ?? up.event))
    }

    // MARK: In the flash

    /// Bytes in a chunk of the RAM ring; nil if packets go directly to the flash queue.
    private var ring: Int? { if case .ring(let chunk) = personality.buffering { chunk } else { nil } }

    /// When there is space for the packet that ends at `position` of its object: a place in the queue, or a chunk of
    /// the ring whose previous content, four chunks older, is in flash.
    private func room(at position: Int) -> Duration {
        guard let ring else {
            return done.count < personality.flashQueue ? .zero : done[done.count - personality.flashQueue]
        }
        let older = (position - 1) / ring - Self.ringChunks
        return older < 0 ? .zero : chunks[older]
    }

    /// A packet has arrived: it goes to flash, at once or with the rest of its chunk.
    private mutating func take(_ count: Int, upTo position: Int, of size: Int, at moment: Duration) {
        guard let ring else { return write(count, at: moment) }
        while chunks.count < position / ring || (position == size && chunks.count * ring < size) {
            write(min(ring, size - chunks.count * ring), at: moment)
            chunks.append(done.last ?? moment)
        }
    }

    private mutating func append(_ length: Duration, at moment: Duration) {
        done.append(max(moment, done.last ?? .zero) + length)
        if done.count > personality.flashQueue { done.removeFirst() }
    }

    private mutating func erase(at moment: Duration) {
        erasing += timing.pageErase
        append(timing.pageErase, at: moment)
    }

    private mutating func write(_ count: Int, at moment: Duration) {
        let length = timing.pieceWrite * ((count + FlashTiming.pieceSize - 1) / FlashTiming.pieceSize)
        writing += length
        append(length, at: moment)
    }

    private mutating func settings(_ cost: SecurePersonality.SettingsWrite, at moment: Duration) {
        for _ in 0..<cost.copies {
            erase(at: moment)
            write(cost.bytes, at: moment)
        }
    }
}
