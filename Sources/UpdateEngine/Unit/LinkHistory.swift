import UpdateCore

/// The links of a unit's update so far.
struct LinkHistory: Sendable {
    /// How many were tried.
    private(set) var tried = 0
    /// Whether one has ever stood.
    private(set) var hasStood = false
    /// The furthest byte of firmware that the device has accepted.
    private(set) var accepted = 0
    /// Links in a row over which it has accepted nothing more.
    private(set) var fruitless = 0
    /// What it would have meant, before the last one, that there was none.
    var endingBefore = DisconnectMeaning.interrupted
    private var hasProgressed = false

    /// What a link has come to.
    mutating func note(_ end: LinkOutcome) {
        hasStood = hasStood || end.hasStood
        hasProgressed = end.accepted > accepted
        accepted = end.accepted
    }

    /// One has ended, or was not tried.
    mutating func count() {
        tried += 1
        fruitless = hasProgressed ? 1 : fruitless + 1
        hasProgressed = false
    }

    /// The device has begun anew as it was meant to: no link before counts as fruitless.
    mutating func forgive() { fruitless = 0 }
}
