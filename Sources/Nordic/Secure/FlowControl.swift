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
    /// The longest times that the flash takes.
    var pace = FlashPace.stock
    /// The fastest response to a request sent right after another response: two connection intervals.
    var roundTrip: Duration?
    /// The number of places of the flash queue that we use.
    var places = Self.flashQueue
    /// The time for the settings of Execute(init), if they were in flash at once; nil after a wait, or if not asked.
    var settingsWithin: Duration?
    let requested: Int?
    var commandMaximum = 0
    private var isSmallMTU = true
    /// Whether a request that only newer bootloaders know is answered as by SDK 12 to 14; nil before it was asked.
    var answersAsOld: Bool?
    var longestPayload: Int?
    /// Objects without a loss, since the last loss or since the window last grew.
    var cleanObjects = 0
    var hasLost = false
    /// Receipts that were due and did not come, since the last one that did.
    var missedReceipts = 0
    /// Firmware packets sent, and the number of times that losses were found.
    var packetsSent = 0
    var losses = 0
    /// How often a loss has slowed `pace`, less the slowdowns undone since.
    var lossMargins = 0
    /// The value of `pace` before the first of these.
    var paceBeforeLosses: FlashPace?
    /// Whether packets of the object were delayed because the flash had no capacity.
    var hasHeldBack = false
    var trial: Trial?

    /// The number of losses while no place of the queue was reserved.
    var exactLosses = 0

    /// Whether an object is being sent as if the flash were fast, or without a reserve: the trial explains losses
    /// then, and they occur only once.
    var isTrial: Bool { if case .underWay = trial { true } else { isExact } }

    /// A trial to find out whether the flash is faster than the link.
    enum Trial: Equatable, Sendable {
        case wanted
        case underWay(before: FlashPace)
    }

    var deafObjects = 0

    static let flashQueue = 16
    /// With this many missed receipts the device is assumed to send none.
    static let mostMissedReceipts = 2
    /// A pause that suffices before any last Execute (nordic-secure.md, Timing), and the margin for predictions.
    private static let longestRest = Duration.milliseconds(250)
    private static let restMargin = Duration.milliseconds(60)
    static let slack = Duration.milliseconds(3)
    private static let smallPacketInterval = 6
    /// Packets that may be in flight without a receipt for any of them.
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

    /// Receipts if an object has more packets than the window. None if the flash is faster than the link: they would
    /// only delay packets. Each takes space in an event, and a device may queue only one at a time.
    var ownInterval: Int {
        isQuick || payload * Self.smallWindow >= Self.usualObject ? 0 : Self.smallPacketInterval
    }

    /// SDK 15.0 can look like SDK 12 to 14. That makes no difference if the user sets the receipts.
    var isGenerationInDoubt: Bool { looksOld && answersAsOld == nil && requested == nil }

    /// Treated as SDK 12 to 14, unless it is known to be newer.
    var isOldTarget: Bool { looksOld && answersAsOld != false }

    /// The MTU stayed 23, as with SDK 12 to 14, and init packets may not have the 512 bytes of SDK 15.3 and later.
    private var looksOld: Bool { isSmallMTU && commandMaximum < 512 }

    /// How long to wait before the last Execute of an old target, which hashes the flash at once, if everything is
    /// predicted to be written after `idle`; nil if times are unknown.
    func restBeforeLastExecute(idle: Duration?) -> Duration? {
        guard isOldTarget else { return nil }
        return min(Self.longestRest, max(.zero, idle ?? Self.longestRest) + Self.restMargin)
    }
}

/// The cost of losses, and the receipt interval with the lowest cost.
///
/// Only the last packet before a receipt can be sent again by itself: after any other lost packet the device appends
/// what follows, and the object has to be sent again. So a longer interval needs fewer round trips, but more objects
/// are sent in vain.
extension FlowControl {
    private static let intervals = [1, 2, 4, 8]
    /// Set PRN, and Get CRC three times.
    private static let tripsOfRecovery = 4
    private static let tripsOfObject = 3
    /// How long the device may pause for its flash before it responds.
    private static let halt = Duration.milliseconds(100)

    /// How long the receipt of `count` packets may take on a lossy link: a round trip for each, although an event can
    /// hold more, and two more. The device can be asked at any time.
    func receiptDeadline(of count: Int) -> Duration {
        max(Self.halt, pace.erase, (roundTrip ?? Self.shortestRoundTrip) * (count + 2))
    }

    var cheapestInterval: Int {
        let rate = Double(losses) / Double(max(packetsSent, losses, 1))
        return Self.intervals.min { cost(of: $0, rate) < cost(of: $1, rate) } ?? 1
    }

    /// The seconds for an object with a receipt every `interval` packets, if each is lost with this probability.
    private func cost(of interval: Int, _ rate: Double) -> Double {
        let trip = roundTrip ?? Self.shortestRoundTrip
        let packets = (Self.usualObject + payload - 1) / payload
        let receipts = (packets + interval - 1) / interval
        let undisturbed = max(trip * receipts, pace.erase + packetTime * packets) + trip * Self.tripsOfObject
        let recovery = receiptDeadline(of: interval) + trip * Self.tripsOfRecovery
        // The probability that no packet is lost except a last one before a receipt.
        let succeeds = (receipts..<packets).reduce(1.0) { chance, _ in chance * (1 - rate) }
        guard succeeds > 0 else { return .infinity }
        let lost = Double(receipts) * rate * (recovery / .seconds(1))
        return undisturbed / .seconds(1) + lost
            + (1 / succeeds - 1) * ((undisturbed / 2 + pace.erase + recovery) / .seconds(1))
    }
}
