/// How many of the units that count have passed. Bench errors do not count.
public struct Yield: Hashable, Sendable {
    /// Units that passed.
    public let passed: Int
    /// All units that count.
    public let counted: Int

    /// The share that passed; nil if no unit counts.
    public var share: Double? { counted == 0 ? nil : Double(passed) / Double(counted) }
}

extension TrayRecord {
    /// Units that passed at the first attempt that reflects the unit.
    public var firstPassYield: Yield {
        let first = units.compactMap(\.passedFirst)
        return Yield(passed: first.count { $0 }, counted: first.count)
    }

    /// Units that passed in the end.
    public var finalYield: Yield {
        let counted = units.compactMap(\.verdict).filter { $0.outcome.isOfUnit }
        return Yield(passed: counted.count { $0.outcome == .passed }, counted: counted.count)
    }

    /// The number of units by outcome.
    public var counts: [Outcome: Int] {
        Dictionary(units.compactMap(\.verdict?.outcome).map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// The number of units without a verdict.
    public var open: Int { units.count { $0.verdict == nil } }
}

/// A share in percent with one decimal, rounded down: 99.96 % is not all. Shared by terminals, pages and reports.
public struct Percentage: Hashable, Sendable {
    private let tenths: Int

    /// Creates it from a share of 1; a value that is not finite counts as 0.
    public init(_ share: Double) {
        let value = (share * 1000 + 1e-9).rounded(.down)
        tenths = value.isFinite ? Int(max(0, min(1e15, value))) : 0
    }

    /// The number alone, for example `91.6`.
    public var number: String { "\(tenths / 10).\(tenths % 10)" }
}

extension Percentage: CustomStringConvertible {
    /// `91.6 %`.
    public var description: String { "\(number) %" }
}
