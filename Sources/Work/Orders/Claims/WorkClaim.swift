/// A unit that only one station may work on. Another claim of the same unit has a higher epoch.
public struct WorkClaim: Hashable, Sendable {
    /// The order's number.
    public let order: String
    /// The key of the unit in the order.
    public let key: String
    /// From 1, incremented with each claim of the unit.
    public let epoch: Int64

    /// Creates a claim with these values.
    public init(order: String, key: String, epoch: Int64) {
        (self.order, self.key, self.epoch) = (order, key, epoch)
    }
}
