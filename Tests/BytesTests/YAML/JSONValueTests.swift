import Testing

@testable import Bytes

@Suite struct `A JSON value` {
    private func tree(_ text: String) throws -> JSONValue { try JSONValue(json: Array(text.utf8)) }

    @Test(arguments: [
        "null", "true", "[]", "{}", "-1.50", #""\b\f\n\r\t""#, "1e400", "9007199254740993", #""12""#,
        #""a\"\\\u0001\#u{1F600}""#,
        #"{"a":[1,null,{"b":"true"}],"c":false}"#,
    ]) func `is written as it was`(text: String) throws {
        #expect(try tree(text).json == text)
        let whole = "[\(text)]"
        #expect(try tree(whole).json == whole)
    }

    @Test(arguments: [
        "null", "true", "-1.50", "1e400", #""12""#, #""null""#, #""""#, #""a\nb\tc\u200d""#, #""a: b""#,
        #"{"":{"- x":[[],{}]}}"#,
        #"{"k\u0000":"\u0085\ufeff\ud83d\ude00"}"#, "{\"\(String(repeating: "l", count: 1500))\":1}",
    ]) func `is the same in a file`(text: String) throws {
        let tree = try tree("[\(text)]")
        let file = try YAMLValue(parsing: Array("a: 1\nkey: \(tree.yaml)\n".utf8))
        let member = try #require(try file.allMembers().last)
        #expect(try JSONValue(member.value) == tree, "\(tree.yaml)")
    }

    @Test func `takes nothing else for JSON`() throws {
        for text in [
            "", "a", "a: 1", "nul", "{a: 1}", "[1,]", "[1] 2", "[01]", "[\"\u{1}\"]", #"["\ud800"]"#,
        ] {
            #expect(throws: YAMLProblem.self, "\(text)") { try tree(text) }
        }
        let whole = Array(#"{"a":[1,null,{"b":"true"}],"c":false}"#.utf8)
        for count in 0..<whole.count {
            #expect(throws: YAMLProblem.self) { try JSONValue(json: Array(whole.prefix(count))) }
        }
        #expect(throws: YAMLProblem.self) { try JSONValue(json: whole + [0x7D]) }
        for index in whole.indices {
            var flipped = whole
            flipped[index] ^= 0x91
            _ = try? JSONValue(json: flipped)
        }
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        #expect(throws: YAMLProblem.self) { try tree(deep) }
    }

    @Test func `of an answer takes the last of two members, and of a file none`() throws {
        #expect(try tree(#"{"a":1,"a":2}"#) == .object(["a": .number("2")]))
        let file = try YAMLValue(parsing: Array("k: {a: 1, a: 2}".utf8))
        let member = try #require(try file.allMembers().first)
        #expect(throws: YAMLProblem.self) { try JSONValue(member.value) }
    }

    @Test func `is written with sorted names, short escapes and numbers without a zero fraction`() throws {
        let value: JSONValue = .members([
            "b": .number(1), "A": .rounded(0.12345), "a": .text("\n\u{1}/\u{200D}\u{7F}"), "nil": nil,
            "null": .null,
            "c": .list([.number(.infinity), .number(-0.5), .integer(Int64.min), .optional(true)]),
        ])
        let expected =
            #"{"A":0.123,"a":"\n\u0001/\u200d\u007f","b":1,"c":[null,-0.5,-9223372036854775808,true]}"#
        #expect(value.line == expected)
        #expect(try JSONValue(json: Array(expected.utf8)) == value)
    }

    @Test(
        arguments: [
            ("100", 100), ("1e2", 100), ("100.0", 100), ("-0", 0), ("9223372036854775807", Int.max),
            ("1e-2", nil), ("0.5", nil), ("1e19", nil), ("1e400", nil), (#""1""#, nil), ("true", nil),
        ] as [(String, Int?)])
    func `is an integer if it is a whole number, however written`(_ text: String, _ value: Int?) throws {
        #expect(try tree(text).integer == value)
    }

    @Test func `of a request has no member twice`() {
        let text = Array(#"{"a":1,"a":2}"#.utf8)
        #expect(throws: YAMLProblem.self) { try JSONValue(json: text, refusingDuplicates: true) }
    }
}
