import TestSupport
import Testing

@testable import CommandKit

/// A command on a page of the documentation, with its place.
struct ShownCommand: CustomTestStringConvertible, Sendable {
    let page: String
    let words: [String]

    var testDescription: String { "\(page): beacon-dfu \(words.joined(separator: " "))" }

    /// The commands in code blocks and in inline code.
    static func all(in page: String) throws -> [ShownCommand] {
        let text = String(decoding: try Samples.file(at: "\(Samples.root)/\(page)"), as: UTF8.self)
        let joined = text.replacing("\\\n", with: " ")
        var code: [Substring] = []
        var isCode = false
        for line in joined.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isCode.toggle()
            } else if isCode || line.hasPrefix("    ") {
                code.append(line)
            } else {
                let parts = line.split(separator: "`", omittingEmptySubsequences: false)
                code += stride(from: 1, to: parts.count, by: 2).map { parts[$0] }
            }
        }
        return code.compactMap { line in
            let words = shellWords(line)
            guard let name = words.firstIndex(of: "beacon-dfu"), words[..<name].allSatisfy(precedes) else {
                return nil
            }
            return ShownCommand(page: page, words: Array(words[(name + 1)...]))
        }
    }

    /// What may precede a command: a prompt, environment variables, sudo.
    private static func precedes(_ word: String) -> Bool {
        ["$", "sudo", "exec"].contains(word) || word.contains("=")
    }

    /// The words of a line up to the first one for the shell.
    private static func shellWords(_ line: Substring) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            switch character {
            case quote: quote = nil
            case "'", "\"":
                if quote == nil {
                    quote = character
                    word = word ?? ""
                } else {
                    word?.append(character)
                }
            case _ where quote != nil: word?.append(character)
            case " ":
                if let whole = word { words.append(whole) }
                word = nil
            case "|", ">", "<", ";", "&", ")": return words + (word.map { [$0] } ?? [])
            case "#" where word == nil: return words
            default: word = (word ?? "") + String(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }
}

@Suite struct `The pages of the documentation` {
    static let pages: [String] = {
        let guide = (try? Samples.entries(of: "docs/guide")) ?? []
        return ["README.md", "docs/troubleshooting.md"] + guide.filter { $0.hasSuffix(".md") }
    }()
    static let commands = pages.flatMap { (try? ShownCommand.all(in: $0)) ?? [] }

    @Test func `show many commands`() {
        #expect(Self.commands.count > 100)
        #expect(Set(Self.commands.map(\.page)).count > 10)
    }

    /// Calls that `main` answers itself do not reach the parser.
    @Test(arguments: commands.filter { !["--version", "help"].contains($0.words.first) })
    func `show only commands and options that exist`(_ shown: ShownCommand) throws {
        let tree = try #require(CommandTree.once)
        #expect(CommandLineAdvice(shown.words, tree).unknownName == nil)
    }
}
