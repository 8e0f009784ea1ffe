/// What is known of the beacon that a code means, by whoever has listened and keeps the history.
public enum CodeStatus: Hashable, Sendable {
    /// It belongs here, and has not passed yet.
    case expected
    /// It was not heard, or is not of this order.
    case unknown
    /// It has passed with this firmware already.
    case passed(EarlierPass)
}

/// When and where a beacon has passed before.
public struct EarlierPass: Hashable, Sendable {
    /// When the attempt began.
    public let at: RecordedTime
    /// The run's id.
    public let run: String
    /// Whether that was one beacon's update without a tray.
    public let isSingle: Bool
    /// The work order of the run; nil where it had none.
    public let order: String?

    /// A pass as described.
    public init(at: RecordedTime, run: String, isSingle: Bool = false, order: String? = nil) {
        (self.at, self.run, self.isSingle, self.order) = (at, run, isSingle, order)
    }
}

extension EarlierPass: CustomStringConvertible {
    /// `on 2026-01-31T12:00:00Z, in run 5f0c8c1e of order WO-17`.
    public var description: String {
        let whole = "\(at.description.prefix(19))Z"
        let id = run.prefix(8)
        return "on \(whole), in " + (isSingle ? "a single flash, run \(id)" : "run \(id)")
            + (order.map { " of order \($0)" } ?? "")
    }
}
