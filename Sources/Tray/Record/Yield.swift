/// How many of the units that say something of themselves have passed. A bench's error is none of them.
public struct Yield: Hashable, Sendable {
    /// Units that passed.
    public let passed: Int
    /// Units that passed or did not.
    public let counted: Int

    /// The share that passed; nil where nothing counts.
    public var share: Double? { counted == 0 ? nil : Double(passed) / Double(counted) }
}

extension TrayRecord {
    /// How many units passed with the first attempt that says something of the unit.
    public var firstPassYield: Yield {
        let first = units.compactMap(\.passedFirst)
        return Yield(passed: first.count { $0 }, counted: first.count)
    }

    /// How many units have passed in the end.
    public var finalYield: Yield {
        let counted = units.compactMap(\.verdict).filter { $0.outcome.isOfUnit }
        return Yield(passed: counted.count { $0.outcome == .passed }, counted: counted.count)
    }

    /// How many units have come to each outcome.
    public var counts: [Outcome: Int] {
        Dictionary(units.compactMap(\.verdict?.outcome).map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// How many units' turns have not ended.
    public var open: Int { units.count { $0.verdict == nil } }
}

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
