extension ClaimAnswer.Denied.Reason {
    /// The stable code.
    public var code: String {
        switch self {
        case .claimed: "claimed"
        case .claimedElsewhere: "claimed-in-other-order"
        case .done: "unit-done"
        case .failed: "unit-failed"
        case .notInOrder: "not-in-order"
        case .full: "order-full"
        }
    }

    /// The reason in one line.
    public var words: String {
        func time(_ left: Duration) -> String { "\(max(0, Int(left / .seconds(1)))) s" }
        return switch self {
        case .claimed(let by, let left): "claimed by \(by) for \(time(left)) more, unless renewed"
        case .claimedElsewhere(let order, let by, let left):
            "claimed by \(by) for order \(order) for \(time(left)) more, unless renewed"
        case .done: "it is on its firmware"
        case .failed: "it has failed; a supervisor has to allow another attempt"
        case .notInOrder: "it is not a unit of the order"
        case .full: "the order already has all its expected units"
        }
    }
}
