/// When an order is held for a person to look, by the results that came since it was released last.
public struct StopRule: Hashable, Sendable {
    /// So many units in a row have failed; nil for no such rule.
    public var consecutive: Int?
    /// So many of the last so many that were tried have failed; nil for no such rule.
    public var share: Share?
    /// So many have ended for the same reason; nil for no such rule.
    public var sameCause: Int?

    /// Failures of the last units.
    public struct Share: Hashable, Sendable {
        /// How many have failed.
        public var failures: Int
        /// Of how many.
        public var ofLast: Int

        /// `failures` of `ofLast`.
        public init(_ failures: Int, ofLast: Int) { (self.failures, self.ofLast) = (failures, ofLast) }
    }

    /// A rule as described.
    public init(consecutive: Int? = nil, share: Share? = nil, sameCause: Int? = nil) {
        (self.consecutive, self.share, self.sameCause) = (consecutive, share, sameCause)
    }

    /// As the engine keeps it: a JSON object of numbers.
    var json: String {
        let members: [(String, Int?)] = [
            ("consecutive", consecutive), ("failures", share?.failures), ("of_last", share?.ofLast),
            ("same_cause", sameCause),
        ]
        let written = members.compactMap { name, number in number.map { "\"\(name)\":\($0)" } }
        return "{" + written.joined(separator: ",") + "}"
    }
}
