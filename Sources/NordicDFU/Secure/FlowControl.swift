/// How many packets may be under way, learned from losses and from the times of answers (nordic-secure.md, Timing).
///
/// A bootloader of SDK 15 and later drops packets silently while its flash queue of 16 is full. Where the MTU
/// stays 23 the device may also be an SDK 12 to 14, whose RAM ring of 512 bytes is overwritten in the 200 ms after
/// each Create, and which does not wait for its flash before the last Execute.
struct FlowControl: Equatable, Sendable {
    /// Packets per receipt (PRN); 0 asks for none.
    var receiptInterval: Int
    /// Firmware bytes a packet carries: a multiple of 4, for bootloaders that write whole words.
    var payload = 20
    /// How long the flash takes at most.
    var pace = FlashPace.stock
    /// The quickest answer to a request that left right after another answer: two connection intervals.
    var roundTrip: Duration?
    /// Places of the flash queue that we rely on.
    var places = Self.flashQueue
    /// How long the settings take that Execute(init) writes, where nobody had to wait for them; nil where somebody had, or
    /// never asked.
    var settingsWithin: Duration?
    /// The user's own interval.
    let requested: Int?
    var commandMaximum = 0
    private var isSmallMTU = true
    /// Whether the bootloader answered as those of SDK 12 to 14 do; nil before it was asked.
    var answersAsOld: Bool?
    var longestPayload: Int?
    /// Objects without a loss, since the last one or since the window last grew.
    var cleanObjects = 0
    var hasLost = false
    /// Receipts that were due and did not come, since the last that did.
    var missedReceipts = 0
    /// Packets of firmware that were handed over, and how often some were found to be lost.
    var packetsSent = 0
    var losses = 0
    /// How often `pace` was made slower by a loss, and not taken back.
    var lossMargins = 0
    /// What `pace` was before the first of them.
    var paceBeforeLosses: FlashPace?
    /// Packets of the object were held back because the flash would have no room for them.
    var hasHeldBack = false
    /// Whether an object is to be sent as if the flash were quick.
    var trial: Trial?

    /// How often something was lost where nothing was kept back for a device that differs a little.
    var exactLosses = 0

    /// Whether an object is being sent as if the flash were quick, or just as it is believed to be: what is lost then is lost by
    /// that, and only once.
    var isTrial: Bool { if case .underWay = trial { true } else { isExact } }

    /// An attempt to find out whether the flash is quicker than the link.
    enum Trial: Equatable, Sendable {
        case wanted
        case underWay(before: FlashPace)
    }

    /// Objects in a row of which nothing arrived.
    var deafObjects = 0

    static let flashQueue = 16
    /// So many missed ones mean that the device sends none.
    static let mostMissedReceipts = 2
    /// What is enough before any last Execute (nordic-secure.md, Timing), and what we leave beyond our reckoning.
    private static let longestRest = Duration.milliseconds(250)
    private static let restMargin = Duration.milliseconds(60)
    /// Between two operations of the flash.
    static let slack = Duration.milliseconds(3)
    private static let smallPacketInterval = 6
    /// Packets that may be under way without a receipt for any of them.
    static let smallWindow = 36
    /// Bytes of an object, as all known bootloaders take them.
    static let usualObject = 4096
    static let lossyInterval = 12
    static let cleanObjectsToGrow = 10
    /// Two of the shortest connection intervals (Vol 6, Part B, 4.5.1).
    static let shortestRoundTrip = Duration.milliseconds(15)

    /// `receiptInterval` is the user's wish; nil leaves it to us.
    init(receiptInterval requested: Int?) {
        let requested = requested.map { Int(UInt16(clamping: $0)) }
        self.requested = requested
        receiptInterval = requested ?? 0
    }

    /// A new link, with what was learned on the old ones.
    mutating func begin(maximumWriteLength: Int) {
        payload = max(4, min(maximumWriteLength, longestPayload ?? .max) / 4 * 4)
        isSmallMTU = maximumWriteLength <= 20
        roundTrip = nil
        guard requested == nil, !hasLost else { return }
        receiptInterval = ownInterval
    }

    /// Receipts where more than a window of packets makes an object, and none where the flash is quicker than the link: all
    /// that they could do is hold packets back. Each takes a place in an event, and a device may keep only one at a time.
    var ownInterval: Int {
        isQuick || payload * Self.smallWindow >= Self.usualObject ? 0 : Self.smallPacketInterval
    }

    /// What the device says that an init packet may have.
    mutating func note(commandMaximum: Int) { self.commandMaximum = commandMaximum }

    /// How the bootloader answers what only newer ones know.
    mutating func note(isOld: Bool) { answersAsOld = isOld }

    /// SDK 15.0 can look like one of SDK 12 to 14. It makes no difference to somebody who sets the receipts himself.
    var isGenerationInDoubt: Bool { looksOld && answersAsOld == nil && requested == nil }

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
