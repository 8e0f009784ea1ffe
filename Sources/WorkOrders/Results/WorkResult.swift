public import Tray

/// What became of a unit, as a station hands it in.
public struct WorkResult: Hashable, Sendable {
    /// Its key: a UUID in lower case, the same however often it is sent.
    public var id: String
    /// From 1 in each journal of a station, without gaps.
    public var sequence: Int64
    /// The claim under which it came about; nil for a unit that was done without one.
    public var claim: WorkClaim?
    /// The order's number; nil for a run without one.
    public var order: String?
    /// The unit's key, where there is no claim: its address.
    public var key: String
    /// What it has come to.
    public var outcome: Outcome
    /// The stable code of the cause; nil where there is none to tell.
    public var code: String?
    /// All that is known of it: a JSON object.
    public var body: String
    /// The SHA-256 of the body's UTF-8, in lower-case hexadecimal.
    public var sha256: String
    /// When it ended, by the station's wall clock.
    public var observed: RecordedTime

    /// A result as described.
    public init(
        id: String, sequence: Int64, claim: WorkClaim?, order: String?, key: String, outcome: Outcome,
        code: String? = nil, body: String, sha256: String, observed: RecordedTime
    ) {
        self.id = id
        self.sequence = sequence
        self.claim = claim
        self.order = order
        self.key = key
        self.outcome = outcome
        self.code = code
        self.body = body
        self.sha256 = sha256
        self.observed = observed
    }
}
