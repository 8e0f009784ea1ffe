/// The number of packets between receipts, reduced for devices that cannot keep up.
struct LegacyPacing: Equatable, Sendable {
    /// Packets per receipt (PRN); 0 requests no receipts.
    private(set) var receiptInterval: Int
    private let requested: Int?
    private var hasSlowed = false

    /// `requested` is the user's setting; nil uses that of the device's quirks.
    init(receiptInterval requested: Int?) {
        self.requested = requested
        receiptInterval = requested ?? LegacyQuirks.stock.receiptInterval
    }

    /// Starts a new link to a device with these quirks; earlier reductions stay.
    mutating func begin(_ quirks: LegacyQuirks) {
        let interval = hasSlowed ? receiptInterval : requested ?? quirks.receiptInterval
        receiptInterval = min(
            max(interval, quirks.receiptIntervals.lowerBound), quirks.receiptIntervals.upperBound)
    }

    /// Whether every packet is acknowledged already.
    var isSlowest: Bool { receiptInterval == 1 }

    /// The device cannot keep up: halves the interval, or turns receipts on.
    mutating func slowDown() {
        receiptInterval =
            receiptInterval == 0 ? LegacyQuirks.stock.receiptInterval : max(1, receiptInterval / 2)
        hasSlowed = true
    }
}
