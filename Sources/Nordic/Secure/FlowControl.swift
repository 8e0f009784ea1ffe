/// The number of packets in flight, adapted to losses and response times (nordic-secure.md, Timing).
///
/// A bootloader of SDK 15 and later silently drops packets while its flash queue of 16 is full. If the MTU stays 23,
/// the device may also have SDK 12 to 14, whose RAM ring of 512 bytes is overwritten in the 200 ms after each Create,
/// and which does not wait for its flash before the last Execute.
struct FlowControl: Equatable, Sendable {
    /// Packets per receipt (PRN); 0 requests no receipts.
    var receiptInterval: Int
    /// Firmware bytes per packet: a multiple of 4, for bootloaders that write whole words.
    var payload = 20
    /// The longest times that the flash is assumed to take.
    var pace = FlashPace.stock
    /// The fastest response to a request sent right after another response: two connection intervals.
    var roundTrip: Duration?
    /// The number of places of the flash queue that we use.
    var places = Self.flashQueue
    /// The time within which the settings of Execute(init) were in flash, if the device responded without a wait.
    var settingsWithin: Duration?
    /// The receipt interval that the user has set; nil lets the procedure choose.
    let requested: Int?
    /// The length in bytes of the longest init packet that the device accepts.
    var commandMaximum = 0
    private var isSmallMTU = true
    /// Whether the device treated the request for the protocol version as SDK 12 to 14 do; nil if it was not sent.
    var answersAsOld: Bool?
    var longestPayload: Int?
    /// The number of objects without a loss since the last loss, or since the window last grew.
    var cleanObjects = 0
    var hasLost = false
    /// The number of missing receipts since the last one that came.
    var missedReceipts = 0
    /// The number of firmware packets sent.
    var packetsSent = 0
    /// How often a loss was found.
    var losses = 0
    /// The number of slowdowns of `pace` after losses that were not undone since.
    var lossMargins = 0
    /// The value of `pace` before the first of these slowdowns; nil if there is none.
    var paceBeforeLosses: FlashPace?
    /// Whether packets of the object were delayed because the flash had no capacity.
    var hasHeldBack = false
    var trial: Trial?
    /// The last object and the time that it took the flash; nil if that was not measured.
    var lastObject: WrittenObject?

    /// The number of losses while the whole queue was used (`isExact`).
    var exactLosses = 0

    /// Whether the object is sent as if the flash were fast, or with the whole queue in use: a loss then means that the
    /// flash is slower than assumed.
    var isTrial: Bool { if case .underWay = trial { true } else { isExact } }

    /// A trial to find out whether the flash is faster than the link.
    enum Trial: Equatable, Sendable {
        case wanted
        case underWay(before: FlashPace)
    }

    /// The number of consecutive objects of which no byte arrived.
    var objectsWithoutReceipts = 0

    static let flashQueue = 16
    /// After this number of missing receipts the device is assumed to send none.
    static let mostMissedReceipts = 2
    /// A pause that suffices before any last Execute (nordic-secure.md, Timing).
    private static let longestRest = Duration.milliseconds(250)
    /// The margin after the predicted end of all writes.
    private static let restMargin = Duration.milliseconds(60)
    /// The margin of other predictions.
    static let slack = Duration.milliseconds(3)
    private static let smallPacketInterval = 6
    /// The number of packets that may be in flight before the first receipt.
    static let smallWindow = 36
    /// The size of an object in bytes in all known bootloaders.
    static let usualObject = 4096
    static let lossyInterval = 12
    static let cleanObjectsToGrow = 10
    /// Two of the shortest connection intervals (Vol 6, Part B, 4.5.1).
    static let shortestRoundTrip = Duration.milliseconds(15)

    /// `receiptInterval` is the user's setting; nil lets the procedure choose.
    init(receiptInterval requested: Int?) {
        let requested = requested.map { Int(UInt16(clamping: $0)) }
        self.requested = requested
        receiptInterval = requested ?? 0
    }

    mutating func begin(maximumWriteLength: Int) {
        payload = max(4, min(maximumWriteLength, longestPayload ?? .max) / 4 * 4)
        isSmallMTU = maximumWriteLength <= 20
        roundTrip = nil
        guard requested == nil, !hasLost else { return }
        receiptInterval = ownInterval
    }

    /// The receipt interval unless the user sets one: 0 if no object has more packets than the window, or the flash is
    /// faster than the link. Receipts delay packets: each takes space in an event, and a device may queue only one.
    var ownInterval: Int {
        isQuick || payload * Self.smallWindow >= Self.usualObject ? 0 : Self.smallPacketInterval
    }

    /// Whether to ask a device that looks like SDK 12 to 14 for its protocol version, because it may have SDK 15.0. It is
    /// not asked if the user sets the receipt interval.
    var isGenerationInDoubt: Bool { looksOld && answersAsOld == nil && requested == nil }

    /// Whether the device is treated like SDK 12 to 14: it looks like these, and is not known to be newer.
    var isOldTarget: Bool { looksOld && answersAsOld != false }

    /// Whether the MTU stayed 23, as with SDK 12 to 14, and init packets may not have the 512 bytes of SDK 15.3.
    private var looksOld: Bool { isSmallMTU && commandMaximum < 512 }

    /// How long to wait before the last Execute of an old target, which hashes the flash at once; nil for others.
    /// `idle` is the predicted time until everything is written; nil if times are unknown.
    func restBeforeLastExecute(idle: Duration?) -> Duration? {
        guard isOldTarget else { return nil }
        return min(Self.longestRest, max(.zero, idle ?? Self.longestRest) + Self.restMargin)
    }
}

/// The cost of losses, and the receipt interval with the lowest cost.
///
/// Only the last packet before a receipt can be sent again by itself. If another one is lost, the device appends the
/// following packets, and the whole object has to be sent again. So a longer interval needs fewer round trips, but more
/// objects are sent again.
extension FlowControl {
    private static let intervals = [1, 2, 4, 8]
    /// Round trips of a recovery (Set PRN, three times Get CRC) and of an object (Create, Get CRC, Execute).
    private static let tripsOfRecovery = 4
    private static let tripsOfObject = 3
    /// How long the device may pause for its flash before it responds.
    private static let halt = Duration.milliseconds(100)

    /// How long the receipt of `count` packets may take on a lossy link: a round trip for each packet, although an event
    /// can hold several, and two more. After that the device is asked, so a later receipt does no harm.
    func receiptDeadline(of count: Int) -> Duration {
        max(Self.halt, pace.erase, (roundTrip ?? Self.shortestRoundTrip) * (count + 2))
    }

    var cheapestInterval: Int {
        let rate = Double(losses) / Double(max(packetsSent, losses, 1))
        return Self.intervals.min { cost(of: $0, rate) < cost(of: $1, rate) } ?? 1
    }

    /// The seconds for an object with a receipt every `interval` packets, if a packet is lost with probability `rate`.
    private func cost(of interval: Int, _ rate: Double) -> Double {
        let trip = roundTrip ?? Self.shortestRoundTrip
        let packets = (Self.usualObject + payload - 1) / payload
        let receipts = (packets + interval - 1) / interval
        let undisturbed = max(trip * receipts, pace.erase + packetTime * packets) + trip * Self.tripsOfObject
        let recovery = receiptDeadline(of: interval) + trip * Self.tripsOfRecovery
        // The probability that all packets arrive, except the last ones before a receipt.
        let succeeds = (receipts..<packets).reduce(1.0) { chance, _ in chance * (1 - rate) }
        guard succeeds > 0 else { return .infinity }
        let lost = Double(receipts) * rate * (recovery / .seconds(1))
        return undisturbed / .seconds(1) + lost
            + (1 / succeeds - 1) * ((undisturbed / 2 + pace.erase + recovery) / .seconds(1))
    }
}
