import UpdateModel

/// The links of a unit's update so far.
struct LinkHistory: Sendable {
    /// Number of links tried.
    private(set) var tried = 0
    /// Whether a link was ever up.
    private(set) var hasStood = false
    /// The furthest byte of firmware that the device has accepted.
    private(set) var accepted = 0
    /// Consecutive links without a newly accepted byte.
    private(set) var fruitless = 0
    /// The link outcome that the procedure had predicted before the last link.
    var endingBefore = DisconnectMeaning.interrupted
    private var hasProgressed = false

    /// Records the outcome of a link.
    mutating func note(_ end: LinkOutcome) {
        hasStood = hasStood || end.hasStood
        hasProgressed = end.accepted > accepted
        accepted = end.accepted
    }

    /// Counts a link that has ended or was not tried.
    mutating func count() {
        tried += 1
        fruitless = hasProgressed ? 1 : fruitless + 1
        hasProgressed = false
    }

    /// The device has started again from the beginning as intended: earlier links no longer count as fruitless.
    mutating func forgive() { fruitless = 0 }
}
