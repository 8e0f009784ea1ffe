/// What a KBeacon's session has seen in the beacon's life.
public struct KBeaconStatistics: Hashable, Sendable {
    /// How often a client has begun a handshake.
    public internal(set) var handshakes = 0
    /// How often a client has sent its digest: tried a password.
    public internal(set) var passwordsTried = 0
    /// How often that was the wrong one.
    public internal(set) var wrongPasswords = 0
    /// Writes on a link after the password was refused there.
    public internal(set) var writesAfterRefusal = 0
    /// The texts of commands, in hexadecimal where they are binary, in order.
    public internal(set) var commands: [String] = []
    /// Each ringing, as it was asked for and as it was.
    public internal(set) var rings: [KBeaconRing] = []
    /// How often which rule was broken.
    public internal(set) var brokenRules: [KBeaconRule: Int] = [:]
    /// The same rules in order.
    private(set) var rulesInOrder: [KBeaconRule] = []

    init() {}

    mutating func note(_ rule: KBeaconRule) {
        brokenRules[rule, default: 0] += 1
        rulesInOrder.append(rule)
    }
}

/// A while in which a beacon made itself noticed (kbeacon.md, Ring).
public struct KBeaconRing: Hashable, Sendable {
    /// How.
    public let means: Set<Means>
    /// For how long it was to last.
    public let asked: Duration
    /// For how long its light was to be on each time, and off; nil where it was not told.
    public let isLit, isDark: Duration?
    /// When it began.
    public let start: Duration
    /// For how long it lasted: no longer than its link.
    public internal(set) var lasted: Duration

    /// A way to be noticed.
    public enum Means: String, Hashable, Sendable { case light, beep, vibration }

    /// Ends at `now`, if it has not before.
    mutating func end(at now: Duration) { lasted = min(lasted, max(.zero, now - start)) }
}
