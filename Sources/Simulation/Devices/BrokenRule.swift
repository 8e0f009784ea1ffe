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
package protocol ClientRule: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    /// The beginning of the rules' names.
    static var prefix: String { get }
    /// The page, or the part of a specification, that states the rules.
    static var page: String { get }
    var broken: BrokenRule { get }
}

extension ClientRule {
    /// The prefix, and the case in kebab case: `emptyObject` is `secure-empty-object`.
    package var id: String {
        let words = rawValue.reduce(into: "") { words, letter in
            if letter.isUppercase, words.last?.isLowercase == true { words += "-" }
            words.append(letter)
        }
        return Self.prefix + words.lowercased()
    }

    func rule(_ text: String, _ heading: String) -> BrokenRule {
        BrokenRule(id, text, in: "\(Self.page) \(heading)")
    }
}

extension BrokenRule {
    /// Every rule that simulated beacons of this package check, in the order of their protocols.
    public static var all: [BrokenRule] {
        func every<Rule: ClientRule>(_ rules: Rule.Type) -> [BrokenRule] { rules.allCases.map(\.broken) }
        return every(AttributeRule.self) + every(SecureRule.self) + every(LegacyRule.self)
            + every(SUOTARule.self) + every(FBeaconRule.self) + every(SMPRule.self)
            + every(KBeaconRule.self)
    }
}
