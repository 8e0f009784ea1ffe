import Foundation
import TestSupport
import Testing

@testable import BeaconCommands

@Suite struct `The table of explanations` {
    @Test func `has each code once, in kebab case`() {
        let codes = Explanation.all.map(\.code)
        #expect(Set(codes).count == codes.count)
        for code in codes {
            #expect(code.allSatisfy { $0.isLowercase || $0 == "-" || $0.isNumber }, "\(code)")
        }
    }

    /// Strings in kebab case in the program's source, the table itself left out; with `calls`, only what is given to one
    /// of them.
    private static func words(givenTo calls: String? = nil) throws -> Set<String> {
        let folder = Samples.root + "/Sources"
        let pattern = try Regex(
            "\(calls ?? "")[\"']([a-z0-9]+(?:-[a-z0-9]+)*)[\"']", as: (Substring, Substring).self)
        var words: Set<String> = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder)
        where path.hasSuffix(".swift") && !path.contains("Failures/Explanations") {
            let text = String(decoding: try Samples.file(at: "\(folder)/\(path)"), as: UTF8.self)
            for match in text.matches(of: pattern) { words.insert(String(match.1)) }
        }
        return words
    }

    @Test func `has every code that is thrown or warned of`() throws {
        let calls =
            #"(?:FailureCode\(\s*rawValue:\s*|CommandFailure\(\s*|\.warn\(\s*|Finding\(\s*|BenchServerError\(\s*|WorkError\(\s*\.\w+,\s*|refuse\()"#
        let thrown = try Self.words(givenTo: calls)
        #expect(thrown.count > 70)
        #expect(thrown.filter { Explanation.known($0) == nil }.sorted() == [])
    }

    @Test func `has no code that nothing in the program can say`() throws {
        let words = try Self.words()
        #expect(Explanation.all.map(\.code).filter { !words.contains($0) } == [])
    }

    @Test func `has a summary of each that is shorter than a paragraph`() {
        for entry in Explanation.all {
            #expect(!entry.summary.isEmpty && !entry.summary.hasSuffix("."), "\(entry.code)")
            #expect(entry.meaning.hasPrefix(entry.summary), "\(entry.code)")
        }
    }

    @Test func `ends the program as after a bug where there is one, and nowhere else`() {
        #expect(
            Explanation.all.filter { $0.exit == .internalError }.map(\.code)
                == ["internal-error", "journal-contradiction"])
    }

    @Test func `ends every meaning with a full stop and no next step with one`() {
        for entry in Explanation.all {
            #expect(entry.meaning.hasSuffix("."), "\(entry.code)")
            #expect(!entry.nextStep.hasSuffix("."), "\(entry.code)")
        }
    }
}
