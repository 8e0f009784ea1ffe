/// What a run of a tray may not exceed; nil where nobody has set a limit.
public struct TrayLimits: Hashable, Sendable {
    /// Connections at a time on one adapter.
    public let links: Int?
    /// How often a unit is begun before it has failed.
    public let attempts: Int?
    /// How many percent of the units may fail; with more, none is begun any more.
    public let failurePercent: Int?
    /// How many seconds a unit may take, all its attempts together.
    public let unitSeconds: Int?
    /// How many seconds the whole tray may take; after them none is begun any more.
    public let traySeconds: Int?

    /// No limits.
    public init() { (links, attempts, failurePercent, unitSeconds, traySeconds) = (nil, nil, nil, nil, nil) }

    /// The limits that are not nil.
    public init(
        links: Int?, attempts: Int?, failurePercent: Int?, unitSeconds: Int?, traySeconds: Int?
    ) throws(TrayFlaw) {
        try links.check(in: Self.links, of: "links")
        try attempts.check(in: Self.attempts, of: "attempts")
        try failurePercent.check(in: Self.percents, of: "failure_percent")
        try unitSeconds.check(in: Self.seconds, of: "unit_s")
        try traySeconds.check(in: Self.seconds, of: "tray_s")
        if let unitSeconds, let traySeconds, unitSeconds > traySeconds {
            throw TrayFlaw("unit_s", "a unit may take \(unitSeconds) s, and its tray only \(traySeconds) s")
        }
        self.links = links
        self.attempts = attempts
        self.failurePercent = failurePercent
        self.unitSeconds = unitSeconds
        self.traySeconds = traySeconds
    }

    /// Of the controllers whose limit is known, the largest holds 20.
    static let links = 1...64
    static let attempts = 1...100
    static let percents = 0...100
    /// Up to a day.
    static let seconds = 1...86_400
}
