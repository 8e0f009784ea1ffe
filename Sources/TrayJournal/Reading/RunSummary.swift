public import Tray

/// What a run was about and how far it has come, without its units.
public struct RunSummary: Hashable, Sendable {
    /// The run, without sessions, holds and units.
    public let run: TrayRecord
    /// Its last session; nil where it has none.
    public let lastSession: TrayRecord.Session?
    /// When its first session began.
    public let began: RecordedTime
    /// How many units it has.
    public let units: Int
    /// How many of them have come to which outcome.
    public let counts: [Outcome: Int]

    /// How many units' turns have not ended.
    public var open: Int { units - counts.values.reduce(0, +) }
}
