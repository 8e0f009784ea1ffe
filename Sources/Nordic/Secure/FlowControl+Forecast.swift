import UpdateModel

/// The number of packets in flight, and when the flash has capacity for more.
extension FlowControl {
    /// The places of the flash queue that settings and erase occupy. 11 packets fit; one place is reserved for devices
    /// that differ.
    private static let takenBySettings = 5
    /// How long settings and erase keep the flash of SDK 14 busy after Create, if times are unknown: 200 ms less `slack`.
    private static let oldBacklog = Duration.milliseconds(197)
    /// How much later than predicted an old device may act; only the hash of the whole image would reveal an error.
    private static let oldSlack = Duration.milliseconds(3)
    /// The number of chunks in the RAM ring of SDK 14.
    private static let oldChunks = 4
    /// The number of pieces of up to 20 bytes in which a chunk is written.
    private static let oldPieces = 7
    private static let unlimited = 1 << 20
    /// After this number of losses with the whole queue in use, a place is reserved again.
    static let mostExactLosses = 2

    /// The number of packets that may be sent without a receipt for any of them.
    ///
    /// Fifteen packets of 20 bytes fill an event of 7.5 ms on LE 2M. The packets of two events must be in flight, so that
    /// no event stays empty while receipts return. With an interval set by the user, or reduced after losses, every
    /// receipt is awaited. The forecast, not this number, limits what the flash of an old target receives.
    var window: Int {
        guard requested == nil, !hasLost else { return receiptInterval }
        return max(receiptInterval, isQuick ? Self.unlimited : Self.smallWindow)
    }

    var hasOwnReceipts: Bool { requested == nil && receiptInterval > 0 }

    /// What limits the speed while a receipt is awaited: the flash, if nothing else limits the packets in flight.
    var waitsFor: SpeedLimit { requested == nil && !hasLost && !isQuick ? .flash : .answers }

    var interval: Duration { (roundTrip ?? Self.shortestRoundTrip) / 2 }

    /// The latest time at which the device received a request: one interval before its response if the exchange took as
    /// long as the fastest one, otherwise the time of the response, because repeated packets may share its event.
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

    /// Predicts the flash's work for an object of `size` bytes, sent from byte `start` on. It begins after Create, and
    /// after earlier work, which ends at `idle`. An erase on nRF52 takes 85 to 90 ms: with the whole queue in use, `slack`
    /// less than 90 ms is assumed at first, 90 ms after a loss.
    func forecast(
        isFirst: Bool, from created: Exchange, after idle: Duration? = nil, start: Int = 0, size: Int = 4096
    ) -> any FlashForecast {
        forecast(
            erased: erased(isFirst: isFirst, from: created, after: idle)
                + (isExact && !isFirst ? Self.slack * (exactLosses - 1) : Self.slack), isFirst: isFirst,
            start: start, size: size)
    }

    /// Predicts the flash's work for an object whose erase, and everything queued before it, is done at `erased`.
    /// `isContinued`: nothing may be sent before that, because the part already sent fills the queue.
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

    /// The number of chunks of the ring to use: only two, which also fit any flash queue, unless it is known to be a ring.
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

    /// The longest time to write a packet if an erase takes `erase`: the rest of the last object's time, divided by its
    /// pieces. After a loss the last object's time is not used.
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

    /// Whether the whole queue is used, without a reserved place, until that causes losses.
    ///
    /// Execute is acknowledged three events after the last packet at the earliest: Get CRC is in the packet's event, and
    /// Execute two events later. If a full queue is written sooner, a reserved place can cost every object an event,
    /// which is 8 % of its time at an interval of 30 ms. On other links the flash determines the duration of an object,
    /// and a reserved place costs nothing.
    var isExact: Bool {
        guard exactLosses < Self.mostExactLosses, requested == nil, !hasLost, !isOldTarget, !isQuick,
            !isOfOnePiece
        else { return false }
        return packetTime * (places - 1) < interval * 3
    }

    /// Whether a packet is a single piece for the flash, so that packets are written while others of the event arrive.
    private var isOfOnePiece: Bool { payload <= FlashPace.pieceSize }

    /// The number of packets that may wait for the flash. Packets count as arrived one interval after sending, and one
    /// place is reserved for a device that differs slightly. Small packets count as arrived when sent, because those of
    /// one interval arrive together, and some of them are written meanwhile.
    private var backlog: Int {
        guard !isQuick else { return Self.unlimited }
        guard isOfOnePiece else { return max(min(2, places), places - 1) }
        let together = min(Double(Self.smallWindow), interval / packetTime)
        return max(min(2, places), places - Int(together * (1 - quickestExchange / packetTime)))
    }
}
