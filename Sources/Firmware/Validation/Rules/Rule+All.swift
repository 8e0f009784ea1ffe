public import UpdateModel

extension Rule {
    /// Every rule, by id.
    public static let all: [Rule] = [
        archiveRules, manifestRules, initPacketRules, imageRules, authenticityRules, compatibilityRules,
        policyRules, hygieneRules, KnownVendors.all.flatMap(\.rules),
    ].flatMap(\.self).sorted { $0.id < $1.id }

    /// The rule with this id.
    public static func named(_ id: String) -> Rule? { byID[id] }

    private static let byID = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
}

extension Finding {
    /// The category of its rule; integrity for a finding without a rule.
    public var category: Rule.Category { Rule.named(id)?.category ?? .integrity }
}
