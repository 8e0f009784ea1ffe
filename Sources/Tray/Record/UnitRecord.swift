/// A unit of a tray: who it is, and what became of it.
public struct UnitRecord: Hashable, Codable, Sendable {
    /// The label of its place, once in a tray.
    public var slot: String
    /// The selector of the slot; nil for a unit that a rule found.
    public var device: String?
    /// The application's address, with its kind after a slash; nil until it was heard.
    public var address: String?
    /// The vendor's own id; nil where it is not known.
    public var identifier: String?
    /// The advertised name, as it came from the air.
    public var name: String?
    /// Who made it.
    public var vendor: String?
    /// The model.
    public var model: String?
    /// How strong it was heard, in dBm.
    public var rssi: Int?
    /// Whether it was the one that had to pass before the others began.
    public var isGolden = false
    /// All attempts, in their order.
    public var attempts: [AttemptRecord] = []
    /// How its turn has ended; nil where it has not.
    public var verdict: Verdict?

    /// A unit of which nothing is known but its place.
    public init(slot: String, device: String? = nil) { (self.slot, self.device) = (slot, device) }
}

extension UnitRecord {
    /// Whether its first attempt that says something of the unit was good; for a unit that no attempt came to, whether its turn
    /// was. Nil where nothing has been said.
    public var passedFirst: Bool? {
        let first = attempts.compactMap(\.verdict).first { $0.outcome.isOfUnit }
        return (first ?? verdict.flatMap { $0.outcome.isOfUnit ? $0 : nil }).map { $0.outcome == .passed }
    }
}
