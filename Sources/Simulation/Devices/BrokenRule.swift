import Bluetooth

public struct BrokenRule: Hashable, Sendable {
    /// Its stable name, in kebab case.
    public let id: String
    /// What the client did, in words.
    public let text: String
    /// The source of the rule: a protocol page and its heading, or a section of the Core Specification.
    public let source: String

    public init(_ id: String, _ text: String, in source: String) {
        (self.id, self.text, self.source) = (id, text, source)
    }
}

/// The rules of one protocol, each described by what breaks it.
package protocol ClientRule: CaseIterable, Hashable, Sendable { var broken: BrokenRule { get } }

extension ClientRule { package var id: String { broken.id } }

extension BrokenRule {
    /// Every rule that simulated beacons of this package check, in the order of their protocols.
    public static var all: [BrokenRule] {
        func every<Rule: ClientRule>(_ rules: Rule.Type) -> [BrokenRule] { rules.allCases.map(\.broken) }
        return every(AttributeRule.self) + every(SecureRule.self) + every(LegacyRule.self)
            + every(SUOTAClientError.self) + every(FBeaconClientError.self) + every(SMPClientError.self)
            + every(KBeaconRule.self)
    }
}
