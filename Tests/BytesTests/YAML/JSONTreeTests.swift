import Testing

@testable import Bytes

@Suite struct `A JSON tree` {
    private func tree(_ text: String) throws -> JSONTree { try JSONTree(json: Array(text.utf8)) }

    @Test(arguments: [
        "null", "true", "[]", "{}", "-1.50", "1e400", "9007199254740993", #""12""#,
        #""a\"\\\u0001\#u{1F600}""#,
        #"{"a":[1,null,{"b":"true"}],"c":false}"#,
    ]) func `is written as it was`(text: String) throws {
        #expect(try tree(text).json == text)
        let whole = "[\(text)]"
        #expect(try tree(whole).json == whole)
    }

    @Test(arguments: [
        "null", "true", "-1.50", "1e400", #""12""#, #""null""#, #""""#, #""a: b""#, #"{"":{"- x":[[],{}]}}"#,
        #"{"k\u0000":"\u0085\ufeff\ud83d\ude00"}"#, "{\"\(String(repeating: "l", count: 1500))\":1}",
    ]) func `is the same in a file`(text: String) throws {
        let tree = try tree("[\(text)]")
        let file = try YAMLValue(parsing: Array("a: 1\nkey: \(tree.yaml)\n".utf8))
        let member = try #require(try file.allMembers().last)
        #expect(try JSONTree(member.value) == tree, "\(tree.yaml)")
    }

    @Test func `takes nothing else for JSON`() throws {
        for text in [
            "", "a", "a: 1", "nul", "{a: 1}", "[1,]", "[1] 2", "[01]", "[\"\u{1}\"]", #"["\ud800"]"#,
        ] {
            #expect(throws: YAMLProblem.self, "\(text)") { try tree(text) }
        }
        let whole = Array(#"{"a":[1,null,{"b":"true"}],"c":false}"#.utf8)
        for count in 0..<whole.count {
            #expect(throws: YAMLProblem.self) { try JSONTree(json: Array(whole.prefix(count))) }
        }
        #expect(throws: YAMLProblem.self) { try JSONTree(json: whole + [0x7D]) }
        for index in whole.indices {
            var flipped = whole
            flipped[index] ^= 0x91
            _ = try? JSONTree(json: flipped)
        }
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        #expect(throws: YAMLProblem.self) { try tree(deep) }
    }

    @Test func `of an answer takes the last of two members, and of a file none`() throws {
        #expect(try tree(#"{"a":1,"a":2}"#) == .members(["a": .number("2")]))
        let file = try YAMLValue(parsing: Array("k: {a: 1, a: 2}".utf8))
        let member = try #require(try file.allMembers().first)
        #expect(throws: YAMLProblem.self) { try JSONTree(member.value) }
    }
}
