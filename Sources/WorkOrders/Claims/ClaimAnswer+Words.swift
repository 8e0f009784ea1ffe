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

    /// One line for people.
    public var words: String {
        func time(_ left: Duration) -> String { "\(max(0, Int(left / .seconds(1)))) s" }
        return switch self {
        case .claimed(let by, let left): "\(by) has it, for \(time(left)) more unless it asks again"
        case .claimedElsewhere(let order, let by, let left):
            "\(by) has it for order \(order), for \(time(left)) more unless it asks again"
        case .done: "it is on its firmware"
        case .failed: "it has failed; somebody has to give it another try"
        case .notInOrder: "it is no unit of the order"
        case .full: "the order has all the units that it wants"
        }
    }
}
