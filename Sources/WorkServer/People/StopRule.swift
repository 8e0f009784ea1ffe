/// When an order is held for a check, by the results since its last release.
public struct StopRule: Hashable, Sendable {
    /// This many units in a row have failed; nil for no such rule.
    public var consecutive: Int?
    /// This many of the last tried units have failed; nil for no such rule.
    public var share: Share?
    /// This many have ended for the same reason; nil for no such rule.
    public var sameCause: Int?

    /// Failures of the last units.
    public struct Share: Hashable, Sendable {
        /// The number of failures.
        public var failures: Int
        /// The number of units considered.
        public var ofLast: Int

        /// `failures` of `ofLast`.
        public init(_ failures: Int, ofLast: Int) { (self.failures, self.ofLast) = (failures, ofLast) }
    }

    /// Creates a rule with these values.
    public init(consecutive: Int? = nil, share: Share? = nil, sameCause: Int? = nil) {
        (self.consecutive, self.share, self.sameCause) = (consecutive, share, sameCause)
    }

    /// The form on the work server: a JSON object of numbers.
    var json: String {
        let members: [(String, Int?)] = [
            ("consecutive", consecutive), ("failures", share?.failures), ("of_last", share?.ofLast),
            ("same_cause", sameCause),
        ]
        let written = members.compactMap { name, number in number.map { "\"\(name)\":\($0)" } }
        return "{" + written.joined(separator: ",") + "}"
    }
}
