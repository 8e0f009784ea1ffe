import Bytes
import Testing

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

    @Test func `has numbers in decimal and hexadecimal, with an error for those out of range`() throws {
        let value = try YAMLValue(parsing: Array("{a: 0xB7, b: 300, c: x}".utf8)).values(of: ["a", "b", "c"])
        #expect(try value["a"]?.number(as: UInt16.self) == 0xB7)
        #expect(try value["b"]?.number(as: UInt16.self) == 300)
        #expect(throws: YAMLProblem.self) { try value["b"]?.number(as: UInt8.self) }
        #expect(throws: YAMLProblem.self) { try value["c"]?.number(as: UInt8.self) }
    }

    static func problem(_ text: String) -> YAMLProblem? {
        do throws(YAMLProblem) {
            _ = try YAMLValue(parsing: Array(text.utf8))
            return nil
        } catch { return error }
    }

    /// Aliases as a key: to compare them, a reader that follows them looks at 9^11 values.
    @Test(.timeLimit(.minutes(10))) func `with anchors is refused before it is processed`() {
        var text = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n"
        for level in 1..<12 {
            let aliases = [String](repeating: "*a\(level - 1)", count: 9).joined(separator: ",")
            text += "a\(level): &a\(level) [\(aliases)]\n"
        }
        text += "? *a11\n: 1\n"
        let problem = Self.problem(text)
        #expect(problem?.line == 1 && problem?.column == 5)
        #expect(problem?.message.contains("anchors (&) are not supported") == true)
    }

    @Test(arguments: [
        ("a: *b", "line 1, column 4: aliases (*) are not supported: repeat the value"),
        (
            "a: &b 1",
            "line 1, column 4: anchors (&) are not supported: repeat the value wherever it is needed"
        ),
        ("a:\n\tb: 1", "line 2, column 1: indent lines with spaces, not with tabs"),
        ("a: 1\n---\nb: 2", "line 3, column 1: a second document begins here; a file may have only one"),
        ("a: [1, 2", "line 1, column 9: a list in brackets needs ',' or ']' here"),
        ("a: {b: 1", "line 1, column 9: a mapping in braces needs ',' or '}' here"),
        ("a: 'b", "line 1, column 6: the closing quote is missing"),
        ("a: @b", "line 1, column 4: a value that begins with '@' needs quotes"),
        ("a: b: c", "a ':' is not allowed here: check the indentation, or put the value in quotes"),
        ("a: 1\n  b: 2", "line 2, column 4: a ':' is not allowed here"),
        ("a: 1\nb", "a key needs a ':' after it"),
        ("[a]: 1", "line 1, column 1: a single value is expected here"),
        ("a: \u{7}", "this character is not allowed in a text"),
        (String(repeating: "[", count: 40), "line 1, column 34: nested too deeply"),
    ])
    func `that cannot be read is refused with its place, in words for people`(text: String, words: String) {
        let problem = Self.problem(text)
        #expect(problem?.description.contains(words) == true, "\(problem?.description ?? "taken")")
    }

    @Test func `is shown where it is wrong`() throws {
        let text = "beacons:\n  - address: x\n\tpersonalty: y\n"
        #expect(Self.problem(text)?.excerpt.first == "  3 |  personalty: y")
        let value = try YAMLValue(parsing: Array("a: 1\nbeacons:\n  - personalty: sdk\n".utf8))
        let beacon = try #require(try value.members()[1].value.list().first)
        let problem = #expect(throws: YAMLProblem.self) { try beacon.values(of: ["address", "personality"]) }
        #expect(
            problem?.description
                == "line 3, column 5: unknown key 'personalty'; did you mean 'personality'?")
        #expect(problem?.excerpt == ["  3 |   - personalty: sdk", "    |     ^^^^^^^^^^"])
    }

    @Test func `that is long is cut around the place`() throws {
        let text =
            "a: [" + String(repeating: "1, ", count: 100) + "x, " + String(repeating: "1, ", count: 100) + "]"
        let value = try YAMLValue(parsing: Array(text.utf8)).members()[0].value.list()[100]
        let problem = #expect(throws: YAMLProblem.self) { try value.number(as: Int.self) }
        let excerpt = try #require(problem?.excerpt)
        #expect(excerpt[0].hasPrefix("  1 | …") && excerpt[0].hasSuffix("…"))
        #expect(excerpt.allSatisfy { $0.count < 80 })
        let place = try #require(Array(excerpt[1]).firstIndex(of: "^"))
        #expect(Array(excerpt[0])[place] == "x")
    }

    @Test(
        arguments: [
            ("1.5", 1.5), ("0", 0), ("1e2", 100), ("100", 100), ("-1", nil), ("101", nil), (".inf", nil),
            (".nan", nil), ("nan", nil), ("0x10", nil), ("x", nil), ("", nil),
        ] as [(String, Double?)])
    func `has numbers with a fraction, within limits`(text: String, number: Double?) throws {
        let value = try YAMLValue(parsing: Array("a: \(text)".utf8)).members()[0].value
        #expect((try? value.decimal(in: 0...100)) == number)
    }
}
