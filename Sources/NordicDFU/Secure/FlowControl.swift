/// How many packets may be under way, learned from losses (nordic-secure.md, Timing).
///
/// A bootloader of SDK 15 and later drops packets silently while its flash queue of 16 is full. After the
/// first Create behind an init packet, 11 fit and the queue is busy for about 360 ms; after later ones 15
/// fit, for about 90 ms. Where the MTU stays 23 the device may also be an SDK 12 to 14, whose RAM ring of
/// 512 bytes is overwritten in the 200 ms after each Create, and which does not wait for its flash before
/// the last Execute.
struct FlowControl: Equatable, Sendable {
    /// Packets per receipt (PRN); 0 asks for none.
    private(set) var receiptInterval: Int
    /// Packets that may follow the Create response at once.
    private(set) var burst: Int
    /// Firmware bytes a packet carries: a multiple of 4, for bootloaders that write whole words.
    private(set) var payload: Int
    private let wished: Int?
    private var cleanObjects = 0
    private var hasLost = false

    private static let firstBurst = 10  // 11 fit; one is kept back for a device that differs a little
    private static let laterBurst = 15
    private static let flashQueue = 16
    private static let smallPacketInterval = 12
    private static let cleanObjectsToGrow = 10

    /// `receiptInterval` is the user's wish; nil leaves it to us.
    init(receiptInterval wished: Int?) {
        let wished = wished.map { Int(UInt16(clamping: $0)) }
        self.wished = wished
        receiptInterval = wished ?? 0
        burst = Self.laterBurst
        payload = 20
    }

    /// A new link, with what was learned on the old ones.
    mutating func begin(maximumWriteLength: Int) {
        payload = max(4, maximumWriteLength / 4 * 4)
        guard wished == nil, !hasLost else { return }
        // An object of 17 large packets never outruns the queue once the burst was waited for; one of 205
        // small ones can, unless receipts hold it back.
        receiptInterval = payload < 200 ? Self.smallPacketInterval : 0
    }

    /// The MTU stayed 23, as it does on SDK 12 to 14.
    var isOldTarget: Bool { payload <= 20 }

    /// Packets before the pause, for the first object behind an init packet or for another one.
    func burst(isFirst: Bool) -> Int { min(burst, isFirst ? Self.firstBurst : Self.laterBurst) }

    /// How long after the Create response the flash may be busy.
    func pause(isFirst: Bool) -> Duration {
        if isFirst { return .milliseconds(370 + extraPause) }
        return .milliseconds((isOldTarget ? 200 : 100) + extraPause)
    }

    private var extraPause: Int { hasLost ? 50 : 0 }

    /// How long before the last Execute nothing may be sent.
    var restBeforeLastExecute: Duration? { isOldTarget ? .milliseconds(250) : nil }

    /// Bytes were lost: halve the window, and then go down to one packet a receipt.
    mutating func noteLoss() {
        cleanObjects = 0
        hasLost = true
        burst = max(1, burst / 2)
        receiptInterval = receiptInterval == 0 ? Self.flashQueue / 2 : max(1, receiptInterval / 2)
    }

    /// An object went through; after ten the window may grow again.
    mutating func noteClean() {
        cleanObjects += 1
        guard hasLost, cleanObjects >= Self.cleanObjectsToGrow else { return }
        cleanObjects = 0
        burst = min(Self.laterBurst, burst * 2)
        receiptInterval = min(max(Self.smallPacketInterval, wished ?? 0), receiptInterval * 2)
    }
}
