import ByteCoding
import Catalogue
import Testing
import YAMLText

@testable import Validation

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

    @Test func `wants file names to fit one of its patterns`() throws {
        #expect(try Self.rules("file-name: '*.zip'").namePatterns.map(\.pattern) == ["*.zip"])
        #expect(try Self.rules("file-name: [a*, b*]").namePatterns.map(\.pattern) == ["a*", "b*"])
    }

    @Test(arguments: [
        ("rules:\n  unsinged: off", "line 2, column 3: there is no rule 'unsinged'"),
        ("rules:\n  debug: loud", "line 2, column 10: 'loud' is none of off, note, warning, error"),
        ("rules: [debug]", "line 1, column 8: a mapping is expected here"),
        (
            "rule:\n  debug: off",
            "line 1, column 1: there is no key 'rule' here; the keys are rules, file-name"
        ),
        ("rules:\n  debug: off\n  debug: note", "stands twice"),
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

@Suite struct `YAML text` {
    @Test func `of hostile depth, size or growth is refused`() {
        for text in [
            String(repeating: "[", count: 200_000), String(repeating: "{a: ", count: 100_000),
            String(repeating: "- ", count: 200_000), String(repeating: "x", count: (1 << 20) + 1),
        ] {
            #expect(throws: YAMLProblem.self) { try YAMLValue(parsing: Array(text.utf8)) }
        }
        var laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
        for level in 1..<9 {
            let alias = [String](repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
            laughs += "a\(level): &a\(level) [\(alias)]\n"
        }
        #expect(throws: YAMLProblem.self) { try YAMLValue(parsing: Array(laughs.utf8)) }
    }

    @Test func `that is not UTF-8 is refused`() {
        #expect(throws: YAMLProblem.self) { try YAMLValue(parsing: [0x61, 0x3A, 0xFF]) }
    }

    @Test func `gives numbers in decimal and hexadecimal, and says which do not fit`() throws {
        let value = try YAMLValue(parsing: Array("{a: 0xB7, b: 300, c: x}".utf8)).values(of: ["a", "b", "c"])
        #expect(try value["a"]?.number(as: UInt16.self) == 0xB7)
        #expect(try value["b"]?.number(as: UInt16.self) == 300)
        #expect(throws: YAMLProblem.self) { try value["b"]?.number(as: UInt8.self) }
        #expect(throws: YAMLProblem.self) { try value["c"]?.number(as: UInt8.self) }
    }
}
