import Bytes
import Testing
import UpdateModel

@testable import Firmware

@Suite struct `A rules file` {
    static func rules(_ text: String) throws -> RuleSet { try RuleSet(parsing: Array(text.utf8)) }

    static func level(_ id: String, _ rules: RuleSet) throws -> FindingLevel? {
        rules.level(of: try #require(Rule.named(id)))
    }

    @Test func `switches rules off and sets their levels`() throws {
        let rules = try Self.rules("rules:\n  unsigned: off\n  debug: note\n  sd-req-unknown: error\n")
        #expect(try Self.level("unsigned", rules) == nil)
        #expect(try Self.level("debug", rules) == .note)
        #expect(try Self.level("sd-req-unknown", rules) == .error)
        #expect(try Self.level("hash-mismatch", rules) == .error)
    }

    @Test func `requires file names to match one of its patterns`() throws {
        #expect(try Self.rules("file-name: '*.zip'").namePatterns.map(\.pattern) == ["*.zip"])
        #expect(try Self.rules("file-name: [a*, b*]").namePatterns.map(\.pattern) == ["a*", "b*"])
    }

    @Test(arguments: [
        (
            "rules:\n  unsinged: off",
            "line 2, column 3: unknown rule 'unsinged'; did you mean 'unsigned'?"
        ),
        (
            "rules:\n  zzz: off",
            "line 2, column 3: unknown rule 'zzz'"
        ),
        ("rule-set: {}", "unknown key 'rule-set'; valid keys are rules, file-name"),
        ("rules:\n  debug: loud", "line 2, column 10: 'loud' is not one of off, note, warning, error"),
        ("rules: [debug]", "line 1, column 8: a mapping is expected here"),
        (
            "rule:\n  debug: off",
            "line 1, column 1: unknown key 'rule'; did you mean 'rules'?"
        ),
        ("rules:\n  debug: off\n  debug: note", "appears twice"),
        ("rules: {", "line "), ("", "the file is empty"), ("- 1", "a mapping is expected here"),
        ("file-name: {a: b}", "a single value is expected here"),
    ])
    func `that is wrong is refused with the place`(text: String, problem: String) {
        do {
            _ = try Self.rules(text)
            Issue.record("taken: \(text)")
        } catch { #expect("\(error)".contains(problem), "\(error)") }
    }
}
