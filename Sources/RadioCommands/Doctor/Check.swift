package import CommandKit
package import UpdateModel

/// The result of checking one thing that can prevent a flash on this machine.
package struct Check: Equatable, Sendable {
    /// The result, as a level of severity.
    package enum Verdict: String, Sendable {
        case good = "ok"
        /// Not a problem, but worth knowing.
        case note
        case warning
        case problem
    }

    package let name: String
    package let verdict: Verdict
    package let message: String
    /// What a person can do; nil if there is nothing to do.
    package var remedy: String?
    /// The exit status for this problem.
    package var exit = ExitStatus.noAdapter

    /// A check with these properties.
    package init(
        name: String, verdict: Verdict, message: String, remedy: String? = nil,
        exit: ExitStatus = .noAdapter
    ) {
        (self.name, self.verdict, self.message) = (name, verdict, message)
        (self.remedy, self.exit) = (remedy, exit)
    }

    package var line: JSONLine {
        JSONLine(
            "check",
            [
                "name": .text(name), "status": .text(verdict.rawValue), "message": .text(message),
                "remedy": .optional(remedy),
            ])
    }

    package func text(_ console: Console) -> [TerminalText] {
        let colour: TerminalText.Colour =
            switch verdict {
            case .good, .note: .green
            case .warning: .yellow
            case .problem: .red
            }
        let word = TerminalText(verdict.rawValue).fitted(to: 8)
        return ["\(console.paint(word, colour)) \(message)"] + (remedy.map { ["         \($0)"] } ?? [])
    }
}
