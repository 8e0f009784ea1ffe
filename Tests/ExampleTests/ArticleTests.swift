import Foundation
import TestSupport
import Testing

@Suite struct `Code in articles` {
    /// DocC articles, and pages whose code is for programmers.
    private static let pages: [String] = {
        let sources = FileManager.default.enumerator(atPath: Samples.root + "/Sources")
        let articles = (sources?.allObjects as? [String] ?? []).filter {
            $0.contains(".docc/") && $0.hasSuffix(".md")
        }
        return articles.map { "Sources/" + $0 }.sorted() + ["README.md"]
    }()

    /// The compiled code, without white space.
    private static let code: String = ["Examples", "Tests/ExerciseVendor"].flatMap { folder in
        let files = FileManager.default.enumerator(atPath: Samples.root + "/" + folder)?.allObjects
        return (files as? [String] ?? []).filter { $0.hasSuffix(".swift") }
            .map { (try? text(of: folder + "/" + $0)) ?? "" }
    }.map(letters).joined(separator: "\n")

    private static func text(of path: String) throws -> String {
        String(decoding: try Samples.file(at: Samples.root + "/" + path), as: UTF8.self)
    }

    private static func letters(_ text: some StringProtocol) -> String {
        String(text.filter { !$0.isWhitespace })
    }

    @Test(arguments: pages) func `is code that compiles`(page: String) throws {
        let text = try Self.text(of: page)
        for block in text.split(separator: "```swift\n", omittingEmptySubsequences: false).dropFirst() {
            let example = block.prefix(upTo: block.firstRange(of: "\n```")?.lowerBound ?? block.endIndex)
            // The manifest lines for a user's own package are not compiled here.
            if example.contains(".package(") || example.contains(".product(") { continue }
            let isCompiled = Self.code.contains(Self.letters(example))
            #expect(isCompiled, "not in an example:\n\(example)")
        }
    }

    @Test func `is found`() throws {
        let withCode = try Self.pages.filter { try Self.text(of: $0).contains("```swift") }
        #expect(withCode.count >= 4, "\(withCode)")
    }
}
