/// By which rules a tray is worked through.
public struct ScheduleRules: Hashable, Sendable {
    /// Whether one unit has to pass before the others start.
    public var hasGolden: Bool
    /// When no further unit is to start.
    public var hold: [HoldRule]
    /// How long a unit may take from its first attempt to connect.
    public var unitTime: Duration?
    /// How long the tray may take.
    public var trayTime: Duration?
    /// How long units that no adapter has heard are waited for at least. They are given up when nothing else is left to do.
    public var search: Duration

    /// The usual rules: a golden unit, held after three failures in a row, five of the last twenty, or four of one cause;
    /// no limits of time; 30 s for who was not heard.
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
