/// The limits of a tray's run; nil for no limit.
public struct TrayLimits: Hashable, Sendable {
    /// Simultaneous connections of one adapter.
    public let links: Int?
    /// Attempts at a unit before it counts as failed.
    public let attempts: Int?
    /// The percentage of units that may fail; above it, no further unit starts.
    public let failurePercent: Int?
    /// Seconds for a unit, all its attempts together.
    public let unitSeconds: Int?
    /// Seconds for the whole tray; after them, no further unit starts.
    public let traySeconds: Int?

    /// No limits.
    public init() { (links, attempts, failurePercent, unitSeconds, traySeconds) = (nil, nil, nil, nil, nil) }

    /// Limits; throws for a value that is out of its range.
    public init(
        links: Int?, attempts: Int?, failurePercent: Int?, unitSeconds: Int?, traySeconds: Int?
    ) throws(TrayFileError) {
        try links.check(in: Self.links, of: "links")
        try attempts.check(in: Self.attempts, of: "attempts")
        try failurePercent.check(in: Self.percents, of: "failure_percent")
        try unitSeconds.check(in: Self.seconds, of: "unit_s")
        try traySeconds.check(in: Self.seconds, of: "tray_s")
        if let unitSeconds, let traySeconds, unitSeconds > traySeconds {
            throw TrayFileError(
                "unit_s", "a unit may take \(unitSeconds) s, and its tray only \(traySeconds) s")
        }
        self.links = links
        self.attempts = attempts
        self.failurePercent = failurePercent
        self.unitSeconds = unitSeconds
        self.traySeconds = traySeconds
    }

    /// Of the controllers whose limit is known, the largest one's is 20.
    static let links = 1...64
    static let attempts = 1...100
    static let percents = 0...100
    /// Up to a day.
    static let seconds = 1...86_400
}
