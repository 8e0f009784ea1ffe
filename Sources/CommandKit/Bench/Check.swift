import Bytes
package import Tray
package import UpdateModel

/// The result of checking one thing that can prevent a flash on this machine.
package struct Check: Equatable, Sendable {
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
    package let remedy: String?
    package let exit: ExitStatus

    package init(
        _ name: String, _ verdict: Verdict, _ message: String, remedy: String? = nil,
        exit: ExitStatus = .noAdapter
    ) {
        (self.name, self.verdict, self.message) = (name, verdict, message)
        (self.remedy, self.exit) = (remedy, exit)
    }

    package var line: JSONLine {
        JSONLine("check").adding([
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

extension Console {
    package func report(_ check: Check) { report(check.line, check.text(self)) }
}

extension TrayRecord.Check {
    package init(_ check: Check) {
        let level =
            switch check.verdict {
            case .good, .note: "ok"
            case .warning: "warning"
            case .problem: "error"
            }
        self.init(check.name, level, check.message)
    }
}

extension TrayRecord.Session {
    /// A session that begins now, with the adapters of these names.
    package init(beginning number: Int, on radios: [String], after checks: [Check] = []) {
        self.init(number: number, began: .now, version: Program.version)
        adapters = radios.map { TrayRecord.Adapter(name: $0) }
        self.checks = checks.map(TrayRecord.Check.init)
    }
}
