/// What the engine answers a station that has told of itself.
public struct HeartbeatReply: Hashable, Sendable {
    /// The engine has all results of this journal up to this number: those after it are sent again.
    public var contiguous: Int64
    /// How far the station's wall clock is ahead of the engine's.
    public var clockAhead: Duration
    /// Why this station gets no work, though its results are taken: its program is too old for the engine, or too new; nil where it
    /// gets some.
    public var mayNotClaim: WorkError?

    /// An answer as described.
    public init(contiguous: Int64, clockAhead: Duration = .zero, mayNotClaim: WorkError? = nil) {
        (self.contiguous, self.clockAhead, self.mayNotClaim) = (contiguous, clockAhead, mayNotClaim)
    }
}
