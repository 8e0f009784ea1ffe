import UpdateCore

/// How many packets may be under way, learned from losses and from the times of answers (nordic-secure.md, Timing).
///
/// A bootloader of SDK 15 and later drops packets silently while its flash queue of 16 is full. Where the MTU
/// stays 23 the device may also be an SDK 12 to 14, whose RAM ring of 512 bytes is overwritten in the 200 ms after
/// each Create, and which does not wait for its flash before the last Execute.
struct FlowControl: Equatable, Sendable {
    /// Packets per receipt (PRN); 0 asks for none.
    private(set) var receiptInterval: Int
    /// Firmware bytes a packet carries: a multiple of 4, for bootloaders that write whole words.
    private(set) var payload = 20
    /// How long the flash takes at most.
    private(set) var pace = FlashPace.stock
    /// The quickest answer to a request that left right behind another answer: two connection intervals.
    private(set) var roundTrip: Duration?
    /// Places of the flash queue that we rely on.
    private(set) var places = Self.flashQueue
    /// How long the settings take that Execute(init) writes, where nobody had to wait for them; nil where somebody had, or
    /// never asked.
    private(set) var settingsWithin: Duration?
    private let wished: Int?
    private var commandMaximum = 0
    private var isSmallMTU = true
    /// Whether the bootloader answered as those of SDK 12 to 14 do; nil before it was asked.
    private var answersAsOld: Bool?
    private var longestPayload: Int?
    private var cleanObjects = 0
    private var hasLost = false
    private var deafObjects = 0

    private static let flashQueue = 16
    /// 11 packets fit beside what Execute(init) has queued; one is kept back for a device that differs a little.
    private static let takenBySettings = 5
    /// How long settings and page keep the flash of SDK 14 behind a Create, less `slack`, where nothing more is known.
    private static let oldBacklog = Duration.milliseconds(197)
    /// How much later than we reckon an old device may act, which nothing but the whole image's hash would show.
    private static let oldSlack = Duration.milliseconds(3)
    /// Chunks of SDK 14's RAM ring, each of which is written in pieces of 20 bytes too, the last of them short.
    private static let oldChunks = 4
    private static let oldPieces = 7
    /// What is enough before any last Execute (nordic-secure.md, Timing), and what we leave beyond our reckoning.
    private static let longestRest = Duration.milliseconds(250)
    private static let restMargin = Duration.milliseconds(60)
    /// Between two operations of the flash.
    private static let slack = Duration.milliseconds(3)
    private static let smallPacketInterval = 6
    private static let lossyInterval = 12
    private static let smallWindow = 36
    /// What a flash that was found to be slow is allowed more, as the two times are not known apart.
    private static let margin = 1.05
    private static let anyNumber = 1 << 20
    /// In microseconds; more is never found at once.
    private static let longestSettings = 1_000_000
    private static let cleanObjectsToGrow = 10
    /// Two of the shortest connection intervals (Vol 6, Part B, 4.5.1).
    private static let shortestRoundTrip = Duration.milliseconds(15)

    /// `receiptInterval` is the user's wish; nil leaves it to us. `learned` is what was learned of such a device.
    init(receiptInterval wished: Int?, learned: LearnedPace? = nil) {
        let wished = wished.map { Int(UInt16(clamping: $0)) }
        self.wished = wished
        receiptInterval = wished ?? 0
        if let learned { adopt(learned) }
    }

    /// Goes on with what was learned of such a device, within reason.
    mutating func adopt(_ learned: LearnedPace) {
        places = min(max(2, learned.window), Self.flashQueue)
        pace =
            FlashPace(
                erase: .microseconds(learned.eraseMicroseconds),
                piece: .microseconds(learned.writeMicroseconds)
            ).bounded
        settingsWithin = learned.settingsMicroseconds.map {
            .microseconds(min(max(0, $0), Self.longestSettings))
        }
        longestPayload = learned.payload.map { max(4, $0) }
        payload = min(payload, longestPayload ?? .max) / 4 * 4
        guard wished == nil, let interval = learned.receiptInterval else { return }
        receiptInterval = min(max(1, interval), Self.lossyInterval)
        hasLost = true
        cleanObjects = min(max(0, learned.cleanObjects), Self.cleanObjectsToGrow)
    }

    /// What was learned so far.
    var learned: LearnedPace {
        LearnedPace(
            window: places, receiptInterval: hasLost ? receiptInterval : nil,
            eraseMicroseconds: Int(pace.erase / .microseconds(1)),
            writeMicroseconds: Int(pace.piece / .microseconds(1)), payload: longestPayload,
            settingsMicroseconds: settingsWithin.map { Int($0 / .microseconds(1)) },
            cleanObjects: hasLost ? cleanObjects : 0)
    }

    /// A new link, with what was learned on the old ones.
    mutating func begin(maximumWriteLength: Int) {
        payload = max(4, min(maximumWriteLength, longestPayload ?? .max) / 4 * 4)
        isSmallMTU = maximumWriteLength <= 20
        roundTrip = nil
        guard wished == nil, !hasLost else { return }
        receiptInterval = ownInterval
    }

    /// An object of some 17 large packets needs no receipts once its last packets were held back, and a flash that is
    /// quicker than the link never. Of many small ones no more may be under way than the flash queue can take at once.
    private var ownInterval: Int {
        isQuick || payload * 2 * Self.flashQueue >= 4096
            ? 0
            : max(
                1,
                min(Self.smallPacketInterval, Int(Self.shortestRoundTrip / FlashPace.stock.packet(payload))))
    }

    /// What the device says that an init packet may have.
    mutating func note(commandMaximum: Int) { self.commandMaximum = commandMaximum }

    /// How the bootloader answers what only newer ones know.
    mutating func note(isOld: Bool) { answersAsOld = isOld }

    /// SDK 15.0 can look like one of SDK 12 to 14. It makes no difference to somebody who sets the receipts himself.
    var isGenerationInDoubt: Bool { looksOld && answersAsOld == nil && wished == nil }

    /// The bootloader was asked, and is one of SDK 15 or later.
    var isKnownToBeNew: Bool { answersAsOld == false }

    /// Taken for one of SDK 12 to 14, unless it is known to be newer.
    var isOldTarget: Bool { looksOld && !isKnownToBeNew }

    /// The MTU stayed 23, as it does on SDK 12 to 14, and the init packet may not have the 512 bytes that it may from
    /// SDK 15.3 on.
    private var looksOld: Bool { isSmallMTU && commandMaximum < 512 }

    /// How long the last Execute of an old target, which hashes the flash at once, has to wait for that, if `idle` later
    /// everything is written by our reckoning; nil where nobody tells the time.
    func restBeforeLastExecute(idle: Duration?) -> Duration? {
        guard isOldTarget else { return nil }
        return min(Self.longestRest, max(.zero, idle ?? Self.longestRest) + Self.restMargin)
    }
}

extension FlowControl {
    /// Packets that may leave without a receipt for any of them.
    ///
    /// Fifteen packets of 20 bytes fill an event of 7.5 ms on LE 2M; two events' worth has to be under way, so that none
    /// passes empty while receipts come back. A user's own interval, and one that losses have brought about, is waited for
    /// each time. What the flash of an old target has room for is the forecast's business.
    var window: Int {
        guard wished == nil, !hasLost else { return receiptInterval }
        return max(receiptInterval, isQuick ? Self.anyNumber : Self.smallWindow)
    }

    /// Whether receipts come as we wish.
    var hasOwnReceipts: Bool { wished == nil && receiptInterval > 0 }

    /// What a receipt is waited for: the flash, where it is all that keeps more packets from being on the way.
    var waitsFor: SpeedLimit { wished == nil && !hasLost && !isQuick ? .flash : .answers }

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

    /// When the flash of an old target has written the settings that an Execute has queued, behind what it had to do
    /// before. The Execute was answered without waiting for any of that. Nil for other devices.
    func settingsWritten(executed: Exchange, behind idle: Duration? = nil) -> Duration? {
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

    /// What the flash will have to do for the rest of an object, from byte `start` of `size`, behind its Create and what
    /// keeps it until `idle`, where that is known.
    func forecast(
        isFirst: Bool, from created: Exchange, behind idle: Duration? = nil, start: Int = 0, size: Int = 4096
    ) -> FlashForecast {
        let erased = erased(isFirst: isFirst, from: created, behind: idle) + Self.slack
        guard isOldTarget else {
            return .queue(
                QueueForecast(
                    erased: erased, burst: burst(isFirst: isFirst), backlog: backlog, packetTime: packetTime))
        }
        let terms = RingForecast.Terms(
            chunks: chunks * places / Self.flashQueue, payload: payload,
            chunkTime: pace.piece * Self.oldPieces,
            delay: interval)
        return .ring(RingForecast(erased: erased, terms, start: start, size: size))
    }

    /// Two chunks are no more than what a flash queue has room for behind any Create.
    private var chunks: Int { answersAsOld == true ? Self.oldChunks : Self.oldChunks / 2 }

    private func erased(isFirst: Bool, from created: Exchange, behind idle: Duration?) -> Duration {
        if let idle { return max(idle, acted(created)) + pace.erase }
        let acted = isOldTarget ? created.answered : acted(created)
        if isFirst { return acted + SettingsWrite(commandMaximum: 512).length(at: pace) + pace.erase }
        return acted + (isOldTarget ? max(Self.oldBacklog, pace.erase) : pace.erase)
    }

    private var packetTime: Duration {
        isOldTarget ? pace.piece * Self.oldPieces * payload / RingForecast.chunk : pace.packet(payload)
    }

    /// Whether the flash writes a packet sooner than any link could bring it.
    private var isQuick: Bool { packetTime <= quickestExchange }

    /// An exchange of packets on LE 2M with data length extension (Vol 6, Part B, 2.1).
    private var quickestExchange: Duration { .microseconds(4 * (payload + 7 + 22) + 300) }

    private func burst(isFirst: Bool) -> Int {
        max(1, places - 1 - (isFirst ? Self.takenBySettings * places / Self.flashQueue : 0))
    }

    /// How many packets may wait for the flash by our reckoning, which sees them written as soon as they have left.
    /// Those of one interval arrive together, and only some of them are written while they arrive.
    private var backlog: Int {
        guard !isQuick else { return Self.anyNumber }
        let together = min(Double(Self.smallWindow), interval / packetTime)
        return max(min(2, places), places - Int(together * (1 - quickestExchange / packetTime)))
    }
}

extension FlowControl {
    /// A request that left right behind an answer was answered within `length`.
    mutating func note(roundTrip length: Duration) { roundTrip = min(roundTrip ?? length, length) }

    /// Whether an answer that came `wait` after its request was acknowledged did not wait for anything.
    func isAtOnce(_ wait: Duration) -> Bool { wait < (roundTrip ?? Self.shortestRoundTrip) / 4 }

    /// The settings that Execute of a new init packet wrote were in flash `length` later, or before; `atOnce` if
    /// they already were when that was asked.
    mutating func note(settingsWithin length: Duration, atOnce: Bool) {
        let write = SettingsWrite(commandMaximum: commandMaximum)
        // Where nobody had to wait, the length is that of the questions, and the flash may be far quicker: it is taken for
        // one of the usual proportion. What is too much for it is lost visibly.
        let slowest =
            atOnce ? write.proportional(within: length) : write.slowest(within: length + interval)
        if atOnce { settingsWithin = length }
        let expected = write.length(at: pace) + interval * 2
        if !atOnce, length > expected { slow(by: Self.margin * (length / write.length(at: pace))) }
        pace = FlashPace(erase: min(pace.erase, slowest.erase), piece: min(pace.piece, slowest.piece)).bounded
        if isQuick, wished == nil, !hasLost { receiptInterval = ownInterval }
    }

    /// The flash was busy for `length` after all packets of an object were known to have arrived; what waits for
    /// it then is a queue of packets at most.
    mutating func note(busyFor length: Duration) {
        let expected = packetTime * Self.flashQueue + (roundTrip ?? Self.shortestRoundTrip) + Self.slack
        if length > expected { slow(by: length / expected) }
    }

    private mutating func slow(by factor: Double) {
        pace = FlashPace(erase: pace.erase * factor, piece: pace.piece * factor).bounded
    }

    /// Bytes were lost, or all of an object where `everything`: halve the window, and then go down to one packet
    /// a receipt. Where nothing arrives twice in a row, packets of the least MTU may.
    mutating func noteLoss(everything: Bool = false) {
        cleanObjects = 0
        hasLost = true
        places = max(2, places / 2)
        receiptInterval = receiptInterval == 0 ? Self.flashQueue / 2 : max(1, receiptInterval / 2)
        // What was believed of a quick flash is not true.
        let stock = isQuick || settingsWithin != nil ? FlashPace.stock : pace
        let slower = FlashPace(
            erase: max(pace.erase, stock.erase) + .milliseconds(50), piece: max(pace.piece, stock.piece))
        pace = slower.bounded
        settingsWithin = nil
        deafObjects = everything ? deafObjects + 1 : 0
        guard deafObjects > 1, payload > 20 else { return }
        longestPayload = 20
        payload = 20
    }

    /// An object went through; after ten the window may grow again.
    mutating func noteClean() {
        cleanObjects += 1
        deafObjects = 0
        guard hasLost, cleanObjects >= Self.cleanObjectsToGrow else { return }
        cleanObjects = 0
        let isWhole = places == Self.flashQueue && receiptInterval >= max(Self.lossyInterval, wished ?? 0)
        guard !isWhole else {
            hasLost = wished != nil
            receiptInterval = wished ?? ownInterval
            return
        }
        places = min(Self.flashQueue, places * 2)
        receiptInterval = min(max(Self.lossyInterval, wished ?? 0), receiptInterval * 2)
    }
}
