public import Tray

/// A run and its progress, without its units.
public struct RunSummary: Hashable, Sendable {
    /// The run, without sessions, holds and units.
    public let run: TrayRecord
    /// Its last session; nil if it has none.
    public let lastSession: TrayRecord.Session?
    /// When its first session began.
    public let began: RecordedTime
    /// How many units it has.
    public let units: Int
    /// The number of units by outcome.
    public let counts: [Outcome: Int]

    /// The number of units without a verdict.
    public var open: Int { units - counts.values.reduce(0, +) }
}
