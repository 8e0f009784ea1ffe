/// How many packets may be under way before a receipt, learned from devices that could not keep up.
struct LegacyPacing: Equatable, Sendable {
    /// Packets per receipt (PRN); 0 asks for none.
    private(set) var receiptInterval: Int
    private let requested: Int?
    private var hasSlowed = false

    /// `requested` is the user's wish; nil leaves it to the device's quirks.
    init(receiptInterval requested: Int?) {
        self.requested = requested
        receiptInterval = requested ?? LegacyQuirks.stock.receiptInterval
    }

    /// A new link to a device with such quirks; what was learned before holds.
    mutating func begin(_ quirks: LegacyQuirks) {
        let interval = hasSlowed ? receiptInterval : requested ?? quirks.receiptInterval
        receiptInterval = min(
            max(interval, quirks.receiptIntervals.lowerBound), quirks.receiptIntervals.upperBound)
    }

    /// Every packet is acknowledged already.
    var isSlowest: Bool { receiptInterval == 1 }

    /// The device could not keep up: half as many, or receipts at all.
    mutating func slowDown() {
        receiptInterval =
            receiptInterval == 0 ? LegacyQuirks.stock.receiptInterval : max(1, receiptInterval / 2)
        hasSlowed = true
    }
}
