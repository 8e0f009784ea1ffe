/// The work server's answer to a heartbeat.
public struct HeartbeatReply: Hashable, Sendable {
    /// The work server has all results of this journal up to this number: later ones are sent again.
    public var contiguous: Int64
    /// How far the station's wall clock is ahead of the work server's.
    public var clockAhead: Duration
    /// Why this station gets no work, though its results are accepted: its program is too old or too new for the work
    /// server; nil if it gets work.
    public var mayNotClaim: WorkError?

    /// Creates an answer with these values.
    public init(contiguous: Int64, clockAhead: Duration = .zero, mayNotClaim: WorkError? = nil) {
        (self.contiguous, self.clockAhead, self.mayNotClaim) = (contiguous, clockAhead, mayNotClaim)
    }
}
