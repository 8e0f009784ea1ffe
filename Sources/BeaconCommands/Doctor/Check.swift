/// One thing that stands, or could stand, between this machine and a flash.
struct Check: Equatable, Sendable {
    /// How bad it is.
    enum Verdict: String, Sendable {
        case good = "ok"
        /// Nothing stands in the way, but this is worth knowing.
        case note
        case warning
        case problem
    }

    let name: String
    let verdict: Verdict
    let message: String
    /// What a person can do; nil where nothing has to be done.
    var remedy: String?
    /// What the program would exit with for this problem.
    var exit = ExitStatus.noAdapter

    var line: JSONLine {
        JSONLine(
            "check",
            [
                "name": .text(name), "status": .text(verdict.rawValue), "message": .text(message),
                "remedy": .optional(remedy),
            ])
    }

    func text(_ console: Console) -> [TerminalText] {
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
