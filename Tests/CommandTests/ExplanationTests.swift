import Foundation
import TestSupport
import Testing

@testable import CommandKit

@Suite struct `The table of explanations` {
    @Test func `has each code once, in kebab case`() {
        let codes = Explanation.all.map(\.code)
        #expect(Set(codes).count == codes.count)
        for code in codes {
            #expect(code.allSatisfy { $0.isLowercase || $0 == "-" || $0.isNumber }, "\(code)")
        }
    }

    /// Strings in kebab case in the program's source, except the table itself; with `calls`, only the arguments of
    /// those calls.
    private static func words(givenTo calls: String? = nil) throws -> Set<String> {
        let pattern = try Regex(
            "\(calls ?? "")[\"']([a-z0-9]+(?:-[a-z0-9]+)*)[\"']", as: (Substring, Substring).self)
        var words: Set<String> = []
        for text in try sources() {
            for match in text.matches(of: pattern) { words.insert(String(match.1)) }
        }
        return words
    }

    /// The program's source, except the table itself.
    private static func sources() throws -> [String] {
        let folder = Samples.root + "/Sources"
        return try FileManager.default.subpathsOfDirectory(atPath: folder)
            .filter {
                ($0.hasSuffix(".swift") || $0.hasSuffix(".c")) && !$0.contains("Failures/Explanations")
            }
            .map { String(decoding: try Samples.file(at: "\(folder)/\($0)"), as: UTF8.self) }
    }

    @Test func `has every code that is thrown or issued as a warning`() throws {
        let calls =
            #"(?:FailureCode\(\s*rawValue:\s*|CommandFailure\(\s*|\.warn\(\s*|Finding\(\s*|BenchServerError\(\s*|WorkError\(\s*\.\w+,\s*|refuse\()"#
        let thrown = try Self.words(givenTo: calls)
        #expect(thrown.count > 70)
        #expect(thrown.filter { Explanation.known($0) == nil }.sorted() == [])
    }

    /// Whatever issues it: a command, the page, the work server's SQL, a simulation.
    @Test func `has every code in any source`() throws {
        let said = SourceCodes(in: try Self.sources()).codes
        #expect(said.count > 250)
        // One of each: a failure, a refusal of the page, one of SQL, a result of SQL, a hold, a warning of JSON, a kind
        // of failure of work, one of C.
        for code in [
            "station-unknown", "csrf-missing", "station-names-many", "result-too-large", "golden-passed",
            "not-served",
            "engine-roles-missing", "proc-missing",
        ] { #expect(said.contains(code), "\(code)") }
        #expect(said.filter { Explanation.known($0) == nil }.sorted() == [])
    }

    @Test func `includes codes wherever a name marks them as codes`() {
        let said = SourceCodes(in: [
            #"""
            struct Odd: Error { init(_ status: Int, _ code: String) {} }
            func give<T>(_ code: String, up: T) { throw Odd(404, "odd-one") }
            let x = [give("odd-two", up: 1), Fine("not-code", code: "odd-three")]
            code = flag ?? "odd-four"
            let line = ["code": .text("odd-five"), "message": .text("not-one")]
            CREATE FUNCTION deny(p_what text, p_code text) RETURNS void
            PERFORM deny('not-me', CASE WHEN a THEN 'odd-six' ELSE 'odd-seven' END);
            RAISE EXCEPTION USING CONSTRAINT = 'odd-eight';
            static let known = SomeCode(rawValue: "odd-nine")
            static void stop(int status, const char *code) {
            if (no) stop(75, "odd-ten");
            """#
        ])
        #expect(
            said.codes == [
                "odd-one", "odd-two", "odd-three", "odd-four", "odd-five", "odd-six", "odd-seven",
                "odd-eight", "odd-nine", "odd-ten",
            ])
    }

    @Test func `has no code that the program cannot issue`() throws {
        let words = try Self.words()
        #expect(Explanation.all.map(\.code).filter { !words.contains($0) } == [])
    }

    @Test func `has summaries that are shorter than a paragraph`() {
        for entry in Explanation.all {
            #expect(!entry.summary.isEmpty && !entry.summary.hasSuffix("."), "\(entry.code)")
            #expect(entry.meaning.hasPrefix(entry.summary), "\(entry.code)")
        }
    }

    @Test func `has the exit code for bugs for these codes only`() {
        #expect(
            Explanation.all.filter { $0.exit == .internalError }.map(\.code)
                == ["internal-error", "journal-contradiction"])
    }

    @Test func `has a full stop after every meaning and none after a next step`() {
        for entry in Explanation.all {
            #expect(entry.meaning.hasSuffix("."), "\(entry.code)")
            #expect(!entry.nextStep.hasSuffix("."), "\(entry.code)")
        }
    }
}
