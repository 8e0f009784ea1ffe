/// A version that can be compared with every other one of its scheme.
public struct OrderedVersion: Hashable, Sendable {
    enum Order: Hashable, Sendable {
        case fields(VersionOrder)
        /// The digits after the point, without trailing zeros.
        case decimal(VersionOrder, fraction: [UInt8])
    }

    /// The scheme that it was parsed with.
    public let scheme: VersionScheme
    private let order: Order

    init(_ scheme: VersionScheme, _ order: Order) { (self.scheme, self.order) = (scheme, order) }
}

extension OrderedVersion: Comparable {
    /// Whether `left` is the earlier version. Versions of two schemes are in the order of the schemes, which
    /// has no meaning for firmware.
    public static func < (left: OrderedVersion, right: OrderedVersion) -> Bool {
        guard left.scheme == right.scheme else { return left.scheme.rawValue < right.scheme.rawValue }
        switch (left.order, right.order) {
        case (.fields(let one), .fields(let other)): return one < other
        case (.decimal(let one, let fraction), .decimal(let other, let otherFraction)):
            guard one == other else { return one < other }
            return fraction.lexicographicallyPrecedes(otherFraction)
        case (.fields, .decimal): return true
        case (.decimal, .fields): return false
        }
    }
}
