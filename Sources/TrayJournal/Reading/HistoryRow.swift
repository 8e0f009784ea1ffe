public import Tray

/// An attempt, with the unit and the run that it belongs to.
public struct HistoryRow: Hashable, Sendable {
    /// The attempt's place in the journal: a later one has a higher number.
    public let number: Int64
    /// The run, without sessions, holds and units.
    public let run: TrayRecord
    /// The unit with its verdict, without attempts.
    public let unit: UnitRecord
    /// The attempt.
    public let attempt: AttemptRecord
}
