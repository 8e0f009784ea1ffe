import Sessions
import UpdateCore

/// How much may be under way, and when the flash will have room for more.
extension FlowControl {
    /// 11 packets fit beside what Execute(init) has queued; one is kept back for a device that differs a little.
    private static let takenBySettings = 5
    /// How long settings and page keep the flash of SDK 14 after a Create, less `slack`, where nothing more is known.
    private static let oldBacklog = Duration.milliseconds(197)
    /// How much later than we reckon an old device may act, which nothing but the whole image's hash would show.
    private static let oldSlack = Duration.milliseconds(3)
    /// Chunks of SDK 14's RAM ring, each of which is written in pieces of 20 bytes too, the last of them short.
    private static let oldChunks = 4
    private static let oldPieces = 7
    private static let anyNumber = 1 << 20
    /// An erase of an nRF52 takes 85 to 90 ms: at first it is taken for `slack` shorter than the longest, then for the longest.
    static let mostExactLosses = 2

    /// Packets that may leave without a receipt for any of them.
    ///
    /// Fifteen packets of 20 bytes fill an event of 7.5 ms on LE 2M; two events' worth has to be under way, so that none
    /// passes empty while receipts come back. A user's own interval, and one that losses have brought about, is waited for
    /// each time. What the flash of an old target has room for is the forecast's business.
    var window: Int {
        guard requested == nil, !hasLost else { return receiptInterval }
        return max(receiptInterval, isQuick ? Self.anyNumber : Self.smallWindow)
    }

    /// Whether receipts come as we wish.
    var hasOwnReceipts: Bool { requested == nil && receiptInterval > 0 }

    /// What a receipt is waited for: the flash, where it is all that keeps more packets from being on the way.
    var waitsFor: SpeedLimit { requested == nil && !hasLost && !isQuick ? .flash : .answers }

    /// An interval, by the quickest exchange.
    var interval: Duration { (roundTrip ?? Self.shortestRoundTrip) / 2 }

    /// When a device had a request at the latest: an interval before its answer came, if the two took no other time than
    /// the quickest did. Packets that the link has repeated may share an event with what follows them.
    func received(_ exchange: Exchange) -> Duration {
        guard let roundTrip else { return exchange.answered - interval }
        let deviation = exchange.answered - exchange.asked - roundTrip
        return abs(deviation / .milliseconds(1)) <= Self.oldSlack / .milliseconds(1)
            ? exchange.answered - interval : exchange.answered
    }

    /// When a device acted.
    private func acted(_ exchange: Exchange) -> Duration {
        received(exchange) + (isOldTarget ? Self.oldSlack : .zero)
    }

    /// When the flash of an old target has written the settings that an Execute has queued, after what it had to do
    /// before. The Execute was answered without waiting for any of that. Nil for other devices.
    func settingsWritten(executed: Exchange, after idle: Duration? = nil) -> Duration? {
        guard isOldTarget else { return nil }
        let work = SettingsWrite(commandMaximum: commandMaximum).length(at: pace)
        return max(idle ?? .zero, acted(executed)) + work
    }

    /// When the settings that Execute(init) has queued are written by a flash that is known to be quick. Execute was
    /// answered without waiting for any of that. Nil for other devices.
    func quickSettings(executed: Exchange) -> Duration? {
        guard let settingsWithin, !isOldTarget else { return nil }
        return acted(executed) + settingsWithin
    }

    /// What the flash will have to do for the rest of an object, from byte `start` of `size`, after its Create and what
    /// keeps it until `idle`, where that is known.
    func forecast(
        isFirst: Bool, from created: Exchange, after idle: Duration? = nil, start: Int = 0, size: Int = 4096
    ) -> FlashForecast {
        forecast(
            erased: erased(isFirst: isFirst, from: created, after: idle)
                + (isExact && !isFirst ? Self.slack * (exactLosses - 1) : Self.slack), isFirst: isFirst,
            start: start, size: size)
    }

    /// The same where it is known when the erase, and whatever comes before the rest of the object, is done. Nothing has room
    /// before that where the object `isContinued`: what was sent of it fills the queue.
    func forecast(
        erased: Duration, isFirst: Bool, isContinued: Bool = false, start: Int, size: Int
    ) -> FlashForecast {
        guard isOldTarget else {
            return .queue(
                QueueForecast(
                    erased: erased, burst: isContinued ? 0 : burst(isFirst: isFirst),
                    backlog: isExact && !isFirst && !isContinued ? places : backlog,
                    packetTime: packetTime,
                    delay: isOfOnePiece || isQuick ? .zero : interval, timeout: timeout))
        }
        let terms = RingForecast.Terms(
            chunks: chunks * places / Self.flashQueue, payload: payload,
            chunkTime: pace.piece * Self.oldPieces,
            delay: interval)
        return .ring(
            RingForecast(
                erased: erased, terms, start: start, size: size, soonest: isContinued ? erased : .zero))
    }

    /// Two chunks are no more than what a flash queue has room for after any Create.
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

    /// Whether the flash writes a packet sooner than any link could bring it.
    var isQuick: Bool { packetTime <= quickestExchange }

    /// An exchange of packets on LE 2M with data length extension (Vol 6, Part B, 2.1).
    private var quickestExchange: Duration { .microseconds(4 * (payload + 7 + 22) + 300) }

    private func burst(isFirst: Bool) -> Int {
        max(1, places - 1 - (isFirst ? Self.takenBySettings * places / Self.flashQueue : 0))
    }

    /// How long after its packet has left a receipt is overdue: an interval to arrive, another one to come back. It matters where
    /// an event can bring more than is written until the next.
    private var timeout: Duration? {
        guard hasOwnReceipts, missedReceipts < Self.mostMissedReceipts, roundTrip != nil,
            packetTime * RingForecast.eventPackets > interval
        else { return nil }
        return interval * 2 + Self.slack
    }

    /// Whether nothing is kept back for a device that differs a little, until that is too much for it.
    ///
    /// Execute is answered three events after the last packet at the soonest: Get CRC travels with that, and Execute in the next
    /// event but one. Where a full queue is written sooner, a packet that was kept back can cost every object an event, which
    /// is 8 % of it at 30 ms. On other links the flash sets the time of an object, and nothing is lost by keeping back.
    var isExact: Bool {
        guard exactLosses < Self.mostExactLosses, requested == nil, !hasLost, !isOldTarget, !isQuick,
            !isOfOnePiece
        else { return false }
        return packetTime * (places - 1) < interval * 3
    }

    /// Whether the flash writes a packet at a stroke, so that much of what comes in an event is written while it comes.
    private var isOfOnePiece: Bool { payload <= FlashPace.pieceSize }

    /// How many packets may wait for the flash by our reckoning. It takes packets for written late, as if they had left an
    /// interval later, and keeps a place back for a device that differs a little. Small ones it sees written as soon as they
    /// have left: those of one interval arrive together, and only some of them are written while they arrive.
    private var backlog: Int {
        guard !isQuick else { return Self.anyNumber }
        guard isOfOnePiece else { return max(min(2, places), places - 1) }
        let together = min(Double(Self.smallWindow), interval / packetTime)
        return max(min(2, places), places - Int(together * (1 - quickestExchange / packetTime)))
    }
}
