package import Bytes
public import UpdateModel

extension Rule {
    package static let all = FailureCode.ofFiles.flatMap(\.codes).compactMap(\.rule).sorted { $0.id < $1.id }

    /// The rule with this id.
    public static func named(_ id: String) -> Rule? { byID[id] }

    private static let byID = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
}

extension FailureCode {
    /// The groups of codes of this module and of the modules that it imports.
    static var ofFiles: [any FailureCodeGroup] {
        common + [release, catalogue] + KnownVendors.all.flatMap(\.failureCodes)
    }
}

extension Finding {
    /// The category of its rule; integrity for a finding without a rule.
    package var category: Rule.Category { code.rule?.category ?? .integrity }
}

/// The rules with the levels that a rules file sets:
///
///     rules:
///       unsigned: off            # off, note, warning, error
///       sd-req-unknown: error
///     file-name: "*-v*.zip"      # with * and ?; or a list of such patterns
package struct RuleSet: Sendable {
    /// The levels that a rules file can set for a rule.
    enum Setting: Hashable, Sendable {
        case off
        case level(FindingLevel)
    }

    private var settings: [String: Setting] = [:]
    /// The patterns for file names; empty to allow any name.
    let namePatterns: [Glob]

    package init() { namePatterns = [] }

    package init(parsing text: [UInt8]) throws(YAMLProblem) {
        let values = try YAMLValue(parsing: text).values(of: ["rules", "file-name"])
        for member in try values["rules"]?.members() ?? [] {
            guard Rule.named(member.key) != nil else {
                throw member.place.problem(
                    "unknown rule '\(member.key)'"
                        + Spelling.hint(for: member.key, in: Rule.all.map(\.id)))
            }
            // YAML's older versions read a bare `off` as false.
            if try member.value.text() == "false" {
                settings[member.key] = .off
            } else {
                let word = try member.value.choice(of: ["off", "note", "warning", "error"])
                settings[member.key] = FindingLevel(rawValue: word).map(Setting.level) ?? .off
            }
        }
        var patterns: [Glob] = []
        if let value = values["file-name"] {
            let texts = (try? value.list()) ?? [value]
            for text in texts { patterns.append(Glob(try text.text())) }
        }
        namePatterns = patterns
    }

    /// The level of a rule; nil if it is switched off.
    package func level(of rule: Rule) -> FindingLevel? {
        switch settings[rule.id] {
        case .off: nil
        case .level(let level): level
        case nil: rule.level
        }
    }

    /// The finding at its rule's level; nil if the rule is switched off.
    func finding(_ found: Finding) -> Finding? {
        guard let rule = found.code.rule else { return found }
        return level(of: rule).map { found.at($0) }
    }

    /// The finding at its rule's level, kept even if the rule is switched off: an unreadable file was not checked.
    func certainFinding(_ found: Finding) -> Finding {
        finding(found) ?? found.at(found.code.rule?.level ?? .error)
    }

    /// The target's answer, kept even if its rule is switched off: a device applies its own rules. If the rules file
    /// sets no level, a refusal stays an error, even if the rule's default level is lower.
    func targetFinding(_ found: Finding) -> Finding {
        var finding = found
        if case .level(let level)? = settings[found.id] { finding = found.at(level) }
        finding.isAboutTarget = true
        return finding
    }
}

extension Finding {
    fileprivate func at(_ level: FindingLevel) -> Finding {
        var finding = self
        finding.level = level
        return finding
    }
}
