/// A unit that one station may work at, and no other. Another claim of the same unit has a higher epoch.
public struct WorkClaim: Hashable, Sendable {
    /// The order's number.
    public let order: String
    /// The key of the unit in the order.
    public let key: String
    /// From 1, one more with each claim of the unit.
    public let epoch: Int64

    /// A claim as described.
    public init(order: String, key: String, epoch: Int64) {
        (self.order, self.key, self.epoch) = (order, key, epoch)
    }
}
