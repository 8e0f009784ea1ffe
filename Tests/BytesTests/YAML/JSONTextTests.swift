import Bytes
import TestSupport
import Testing

@Suite struct `A text that is JSON` {
    private static func value(_ text: String) throws(YAMLProblem) -> YAMLValue {
        try YAMLValue(parsing: Array(text.utf8))
    }

    @Test(arguments: [
        (#""\ud83d\ude80""#, "🚀"), (#""a\/b\u00e9\n\"\\""#, "a/bé\n\"\\"), (#""🚀""#, "🚀"), ("1.10", "1.10"),
        ("-1e5", "-1e5"), ("true", "true"), (#""null""#, "null"), (#""""#, ""),
        (#""\u007f\b\f""#, "\u{7F}\u{8}\u{C}"),
    ])
    func `has the values that JSON defines`(json: String, text: String) throws {
        let members = try Self.value("{\"a\": \(json)}").members()
        #expect(members.map(\.key) == ["a"])
        #expect(try members[0].value.text() == text)
        #expect(
            try Self.value("[\(json)]").list().map { (value) throws(YAMLProblem) in try value.text() } == [
                text
            ])
    }

    @Test func `has no members that are null, and no values in a list that are`() throws {
        let root = try Self.value(#"{"a": null, "b": [1, null], "c": {"d": null}}"#)
        let values = try root.values(of: ["a", "b", "c"])
        #expect(values["a"] == nil)
        #expect(try values["c"]?.members().isEmpty == true)
        let list = try #require(try values["b"]?.list())
        let problem = #expect(throws: YAMLProblem.self) { try list[1].text() }
        #expect(problem?.description == "line 1, column 22: a value is expected here, not null")
        #expect(throws: YAMLProblem.self) { try Self.value(#"{"a": null, "a": 1}"#).members() }
    }

    @Test func `gives the place of what is wrong`() throws {
        let root = try Self.value("\u{FEFF}{\r\n  \"a\": 1,\n  \"personalty\": \"x\"\n}")
        let problem = #expect(throws: YAMLProblem.self) { try root.values(of: ["a", "personality"]) }
        #expect(
            problem?.description
                == "line 3, column 3: unknown key 'personalty'; did you mean 'personality'?")
    }

    @Test(arguments: [
        (
            #"{"a": "\ud83d"}"#,
            "line 1, column 8: this escape is half of a surrogate pair; the other half is missing"
        ),
        (#"{"a": "\ude80\ud83d"}"#, "half of a surrogate pair"),
        (#"{"a": "\ud83d\u0041"}"#, "half of a surrogate pair"),
        (String(repeating: #"{"a":"#, count: 40), "nested too deeply"),
    ])
    func `that is no text is refused with the place`(json: String, words: String) {
        let problem = #expect(throws: YAMLProblem.self) { try Self.value(json) }
        #expect(problem?.description.contains(words) == true, "\(problem?.description ?? "")")
    }

    @Test(arguments: [
        "{a: 1}", "{a: null}", "{'a': 1}", "{\"a\": 1,}", "[a, b]", "{\"a\": 01}", "# x\n{\"a\": 1}",
    ])
    func `in braces that are not JSON's is YAML`(text: String) throws { _ = try Self.value(text) }

    @Test func `that is cut or changed is read or refused, never more`() {
        let text = Array(#"{"a": ["\ud83d\ude80", 1.5e3, null, true], "b": {"c": "d"}} "#.utf8)
        for bytes in Corruption.prefixes(of: text) { _ = try? YAMLValue(parsing: bytes) }
        for (_, bytes) in Corruption.flips(of: text) { _ = try? YAMLValue(parsing: bytes) }
        #expect(throws: YAMLProblem.self) { try YAMLValue(parsing: text + [0x31]) }
    }
}
