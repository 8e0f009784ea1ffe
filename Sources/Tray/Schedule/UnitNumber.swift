/// A unit of a tray, by its place in the tray's order, counted from 0.
public struct UnitNumber: Hashable, Comparable, Sendable {
    /// The place in the order.
    public let value: Int

    /// The unit at place `value`.
    public init(_ value: Int) { self.value = value }

    /// The earlier in the tray's order.
    public static func < (one: UnitNumber, other: UnitNumber) -> Bool { one.value < other.value }
}
