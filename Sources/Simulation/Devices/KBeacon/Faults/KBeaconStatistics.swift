/// What a KBeacon's session has recorded over the beacon's life.
public struct KBeaconStatistics: Hashable, Sendable {
    /// The handshakes that clients started.
    public internal(set) var handshakes = 0
    /// The digests that clients sent, each one attempt at the password.
    public internal(set) var passwordsTried = 0
    /// The wrong digests among them.
    public internal(set) var wrongPasswords = 0
    /// The writes on links after the password was refused.
    public internal(set) var writesAfterRefusal = 0
    /// The texts of commands in order, in hexadecimal if they are binary.
    public internal(set) var commands: [String] = []
    /// Each ring, as requested and as it happened.
    public internal(set) var rings: [KBeaconRing] = []
    /// How often each rule was broken.
    public internal(set) var brokenRules: [KBeaconRule: Int] = [:]
    /// The broken rules in order.
    private(set) var rulesInOrder: [KBeaconRule] = []

    init() {}

    mutating func note(_ rule: KBeaconRule) {
        brokenRules[rule, default: 0] += 1
        rulesInOrder.append(rule)
    }
}

/// A period during which a beacon blinked, beeped or vibrated (kbeacon.md, Ring).
public struct KBeaconRing: Hashable, Sendable {
    /// The means that were used.
    public let means: Set<Means>
    /// The requested duration.
    public let asked: Duration
    /// The requested on and off times of the LED; nil if not given.
    public let isLit, isDark: Duration?
    /// When it started.
    public let start: Duration
    /// How long it lasted: no longer than its link.
    public internal(set) var lasted: Duration

    /// A way to draw attention.
    public enum Means: String, Hashable, Sendable { case light, beep, vibration }

    /// Ends it at `now`, unless it has ended already.
    mutating func end(at now: Duration) { lasted = min(lasted, max(.zero, now - start)) }
}
