/// The rules of a tray's schedule.
public struct ScheduleRules: Hashable, Sendable {
    /// Whether the golden unit has to pass before the others start.
    public var hasGolden: Bool
    /// When to start no further unit.
    public var hold: [HoldRule]
    /// Time limit of a unit, from its first connection attempt.
    public var unitTime: Duration?
    /// Time limit of the tray.
    public var trayTime: Duration?
    /// The minimum time to wait for units that no adapter has heard. They are given up when no other work is left.
    public var search: Duration

    /// The default rules: a golden unit; a hold after three failures in a row, five of the last twenty, or four of one
    /// cause; no time limits; 30 s for units that were not heard.
    public init(
        hasGolden: Bool = true,
        hold: [HoldRule] = [.consecutive(3), .share(failures: 5, ofLast: 20), .sameCause(4)],
        unitTime: Duration? = nil, trayTime: Duration? = nil, search: Duration = .seconds(30)
    ) {
        self.hasGolden = hasGolden
        self.hold = hold
        self.unitTime = unitTime
        self.trayTime = trayTime
        self.search = search
    }
}
