/// What the scan and the history report of the beacon that a code selects.
public enum CodeStatus: Hashable, Sendable {
    /// Belongs to this order and has not passed yet.
    case expected
    /// Was not heard, or does not belong to this order.
    case unknown
    /// Has already passed with this firmware.
    case passed(EarlierPass)
}

/// An earlier run in which a beacon passed.
public struct EarlierPass: Hashable, Sendable {
    /// When the attempt began.
    public let at: RecordedTime
    /// The run's id.
    public let run: String
    /// Whether that run was a single beacon's update without a tray.
    public let isSingle: Bool
    /// The work order of the run; nil if it had none.
    public let order: String?

    /// Creates the pass with these values.
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
