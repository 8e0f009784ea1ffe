import Tray

/// What is counted of a bench's units.
public struct BenchFigures: Hashable, Sendable {
    /// How many stand how.
    public let counts: [UnitStatus: Int]
    /// Of the units that say something of themselves, the share that passed at once; nil for none. A bench's error is none of them.
    public let firstPassYield: Double?
    /// Of them, who passed in the end; one that is tried again counts as before until there is a result.
    public let finalYield: Double?
    /// Of all units together.
    public let bytesPerSecond: Double

    /// Of `units`.
    public init(_ units: [PageUnit]) {
        counts = Dictionary(units.map { ($0.standing, 1) }, uniquingKeysWith: +)
        let first = units.compactMap(\.passedFirst)
        firstPassYield = Self.share(first.count { $0 }, of: first.count)
        let ended = units.compactMap(\.settled)
        finalYield = Self.share(ended.count { $0 == .passed }, of: ended.count)
        bytesPerSecond = units.compactMap(\.bytesPerSecond).reduce(0, +)
    }

    private static func share(_ count: Int, of all: Int) -> Double? {
        all == 0 ? nil : Double(count) / Double(all)
    }

    /// How many are on their firmware.
    public var good: Int { (counts[.passed] ?? 0) + (counts[.notNeeded] ?? 0) }
}
