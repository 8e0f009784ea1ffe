/// A share of a whole in percent, with one decimal, cut and not rounded: 99.96 % is not all. One for terminals, pages and reports.
public struct Percentage: Hashable, Sendable {
    private let tenths: Int

    /// So many parts of `whole`; of what is no number, none.
    public init(_ share: Double) {
        let value = (share * 1000 + 1e-9).rounded(.down)
        tenths = value.isFinite ? Int(max(0, min(1e15, value))) : 0
    }

    /// The number alone, as `91.6`.
    public var number: String { "\(tenths / 10).\(tenths % 10)" }
}

extension Percentage: CustomStringConvertible {
    /// `91.6 %`.
    public var description: String { "\(number) %" }
}
