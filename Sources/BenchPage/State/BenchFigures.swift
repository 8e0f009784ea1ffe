import Tray

/// Counts of a bench's units.
public struct BenchFigures: Hashable, Sendable {
    /// The number of units by status.
    public let counts: [UnitStatus: Int]
    /// The share of units that passed at the first attempt; nil for none. Bench errors do not count.
    public let firstPassYield: Double?
    /// The share of units that passed in the end; a unit that is tried again keeps its earlier result until it has a
    /// new one.
    public let finalYield: Double?
    /// The rate of all units together.
    public let bytesPerSecond: Double

    /// Counts `units`.
    public init(_ units: [PageUnit]) {
        counts = Dictionary(units.map { ($0.status, 1) }, uniquingKeysWith: +)
        let first = units.compactMap(\.passedFirst)
        firstPassYield = Self.share(first.count { $0 }, of: first.count)
        let ended = units.compactMap(\.settled)
        finalYield = Self.share(ended.count { $0 == .passed }, of: ended.count)
        bytesPerSecond = units.compactMap(\.bytesPerSecond).reduce(0, +)
    }

    private static func share(_ count: Int, of all: Int) -> Double? {
        all == 0 ? nil : Double(count) / Double(all)
    }

    /// The number of units on their firmware.
    public var good: Int { (counts[.passed] ?? 0) + (counts[.notNeeded] ?? 0) }
}
