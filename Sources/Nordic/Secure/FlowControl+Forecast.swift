import UpdateModel

/// The number of packets in flight, and when the flash has capacity for more.
extension FlowControl {
    /// Places that settings and erase take in the flash queue: 11 packets fit, one is reserved for devices that differ.
    private static let takenBySettings = 5
    /// How long settings and erase keep SDK 14's flash busy after a Create if times are unknown: 200 ms less `slack`.
    private static let oldBacklog = Duration.milliseconds(197)
    /// How much later than predicted an old device may act; only the hash of the whole image would reveal an error.
    private static let oldSlack = Duration.milliseconds(3)
    /// The chunks of SDK 14's RAM ring, and the pieces of 20 bytes in which a chunk is written, the last one short.
    private static let oldChunks = 4
    private static let oldPieces = 7
    private static let anyNumber = 1 << 20
    /// An erase on nRF52 takes 85 to 90 ms: `slack` less than 90 is assumed at first, 90 after a loss, more after two.
    static let mostExactLosses = 2

    /// The number of packets that may be sent without a receipt for any of them.
    ///
    /// Fifteen packets of 20 bytes fill an event of 7.5 ms on LE 2M; two events' worth must be in flight, so that no
    /// event stays empty while receipts return. With an interval set by the user, or reduced after losses, every
    /// receipt is awaited. What the flash of an old target can accept is limited by the forecast, not here.
    var window: Int {
        guard requested == nil, !hasLost else { return receiptInterval }
        return max(receiptInterval, isQuick ? Self.anyNumber : Self.smallWindow)
    }

    var hasOwnReceipts: Bool { requested == nil && receiptInterval > 0 }

    /// What limits the speed while a receipt is awaited: the flash, if nothing else limits the packets in flight.
    var waitsFor: SpeedLimit { requested == nil && !hasLost && !isQuick ? .flash : .answers }

    var interval: Duration { (roundTrip ?? Self.shortestRoundTrip) / 2 }

    /// The latest time at which the device received a request: an interval before its response if the exchange took as
    /// long as the fastest one; otherwise its response, as packets that the link repeats may share an event with it.
    func received(_ exchange: Exchange) -> Duration {
        guard let roundTrip else { return exchange.answered - interval }
        let deviation = exchange.answered - exchange.asked - roundTrip
        return abs(deviation / .milliseconds(1)) <= Self.oldSlack / .milliseconds(1)
            ? exchange.answered - interval : exchange.answered
    }

    private func acted(_ exchange: Exchange) -> Duration {
        received(exchange) + (isOldTarget ? Self.oldSlack : .zero)
    }

    /// When the flash of an old target has written the settings queued by an Execute, after earlier work until `idle`;
    /// these targets acknowledge Execute without waiting for that. Nil for other devices.
    func settingsWritten(executed: Exchange, after idle: Duration? = nil) -> Duration? {
        guard isOldTarget else { return nil }
        let work = SettingsWrite(commandMaximum: commandMaximum).length(at: pace)
        return max(idle ?? .zero, acted(executed)) + work
    }

    /// When a flash known to be fast has written the settings queued by Execute(init). Nil for other devices.
    func quickSettings(executed: Exchange) -> Duration? {
        guard let settingsWithin, !isOldTarget else { return nil }
        return acted(executed) + settingsWithin
    }

    /// Predicts the work for an object of `size` bytes from byte `start` on, after Create and earlier work to `idle`.
    func forecast(
        isFirst: Bool, from created: Exchange, after idle: Duration? = nil, start: Int = 0, size: Int = 4096
    ) -> any FlashForecast {
        forecast(
            erased: erased(isFirst: isFirst, from: created, after: idle)
                + (isExact && !isFirst ? Self.slack * (exactLosses - 1) : Self.slack), isFirst: isFirst,
            start: start, size: size)
    }

    /// Predicts the flash's work for an object whose erase, and everything queued before it, is done at `erased`. If
    /// the object `isContinued`, there is no capacity before that: the part already sent fills the queue.
    func forecast(
        erased: Duration, isFirst: Bool, isContinued: Bool = false, start: Int, size: Int
    ) -> any FlashForecast {
        guard isOldTarget else {
            let isOrdinary = !isFirst && !isContinued
            return QueueForecast(
                erased: erased, burst: isContinued ? 0 : burst(isFirst: isFirst),
                backlog: isExact && isOrdinary ? places : backlog,
                packetTime: isOrdinary ? packetTime(after: pace.erase) : packetTime,
                longestPacketTime: isOrdinary ? packetTime(after: .zero) : packetTime,
                delay: isOfOnePiece || isQuick ? .zero : interval, timeout: timeout)
        }
        return RingForecast(
            erased: erased, chunks: chunks * places / Self.flashQueue, payload: payload,
            chunkTime: pace.piece * Self.oldPieces, delay: interval, start: start, size: size,
            soonest: isContinued ? erased : .zero)
    }

    /// The chunks of the ring that may be used: only two, which fit any flash queue, unless it is known to be a ring.
    private var chunks: Int { answersAsOld == true ? Self.oldChunks : Self.oldChunks / 2 }

    private func erased(isFirst: Bool, from created: Exchange, after idle: Duration?) -> Duration {
        if let idle { return max(idle, acted(created)) + pace.erase }
        let acted = isOldTarget ? created.answered : acted(created)
        if isFirst { return acted + SettingsWrite(commandMaximum: 512).length(at: pace) + pace.erase }
        return acted + (isOldTarget ? max(Self.oldBacklog, pace.erase) : pace.erase)
    }

    var packetTime: Duration {
        isOldTarget ? pace.piece * Self.oldPieces * payload / RingForecast.chunk : pace.packet(payload)
    }

    /// The longest time to write a packet if an erase takes `erase`: the last object's time less that, divided by its
    /// pieces. After a loss that time is not used.
    private func packetTime(after erase: Duration) -> Duration {
        guard let lastObject, requested == nil, !hasLost, exactLosses == 0, !isOldTarget else {
            return packetTime
        }
        return FlashPace(erase: erase, piece: min(pace.piece, lastObject.piece(after: erase))).bounded
            .packet(payload)
    }

    /// Whether the flash writes a packet faster than any link can deliver it.
    var isQuick: Bool { packetTime <= quickestExchange }

    /// The duration of a full and an empty packet on LE 2M: 4 µs a byte, 150 µs after each (Vol 6, Part B, 2.1).
    private var quickestExchange: Duration { .microseconds(4 * (payload + 7 + 22) + 300) }

    private func burst(isFirst: Bool) -> Int {
        max(1, places - 1 - (isFirst ? Self.takenBySettings * places / Self.flashQueue : 0))
    }

    /// The time after sending a packet when its receipt is overdue: an interval to arrive and another one to return.
    /// Nil unless one event can deliver more than is written before the next, or if no receipts come.
    private var timeout: Duration? {
        guard hasOwnReceipts, missedReceipts < Self.mostMissedReceipts, roundTrip != nil,
            packetTime * RingForecast.eventPackets > interval
        else { return nil }
        return interval * 2 + Self.slack
    }

    /// Whether the whole queue is used, without a place for a device that differs slightly, until that causes losses.
    ///
    /// Execute is acknowledged three events after the last packet at the earliest: Get CRC travels with the packet,
    /// and Execute in the next event but one. If a full queue is written sooner, a reserved place can cost every
    /// object an event, which is 8 % of its time at an interval of 30 ms. On other links the flash determines the
    /// duration of an object, and reserving a place costs nothing.
    var isExact: Bool {
        guard exactLosses < Self.mostExactLosses, requested == nil, !hasLost, !isOldTarget, !isQuick,
            !isOfOnePiece
        else { return false }
        return packetTime * (places - 1) < interval * 3
    }

    /// Whether a packet is one piece for the flash, so that many packets of an event are written while others arrive.
    private var isOfOnePiece: Bool { payload <= FlashPace.pieceSize }

    /// The number of predicted packets that may wait for the flash. Packets count as arrived an interval after sending,
    /// and one place is reserved for a device that differs slightly. Small packets count as arrived when sent: those of
    /// one interval arrive together, and some of them are written meanwhile.
    private var backlog: Int {
        guard !isQuick else { return Self.anyNumber }
        guard isOfOnePiece else { return max(min(2, places), places - 1) }
        let together = min(Double(Self.smallWindow), interval / packetTime)
        return max(min(2, places), places - Int(together * (1 - quickestExchange / packetTime)))
    }
}
