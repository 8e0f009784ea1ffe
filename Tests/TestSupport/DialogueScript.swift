package import UpdateModel

/// A dialogue of any vendor in short words, so that a test is a table: an outcome, and the command that is given next.
///
/// Outcomes: `done`, `absent`, `timeout`, `refused`, or the hexadecimal text of a value; `early 02` is a value that
/// arrived before it was awaited. Commands: `rest 379`, `complete`, `complete unconfirmed`, `restart`, `restart for
/// transfer-stalled`; or `fail no-answer`, with `, again` if a new link may help. A vendor adds words of its own.
package protocol DialogueScript {
    associatedtype Subject: Dialogue where Subject.Failure == UpdateFailure
    var played: PlayedDialogue<Subject> { get set }

    /// The outcome in the vendor's own words; nil for the common ones.
    func outcome(_ words: [String]) -> DialogueOutcome?
    /// The command in the vendor's own words; nil for the common ones.
    func text(_ command: DialogueCommand<Subject.Ending>) -> String?
    func text(_ ending: Subject.Ending) -> String
    func text(_ failure: UpdateFailure) -> String
    /// The outcome of a command that tables leave out; nil for all others.
    func omittedOutcome(of command: DialogueCommand<Subject.Ending>) -> DialogueOutcome?
    /// Whether `command` is the `expected` one; it may run further commands that are the same for a table.
    mutating func agrees(_ command: String, with expected: String) -> Bool
}

extension DialogueScript {
    package var notices: [Subject.Notice] { played.notices }
    package var failure: UpdateFailure? { played.failure }
    /// The time limits of all waits.
    package var limits: [Duration] { played.limits }
    package var procedure: Subject {
        get { played.dialogue }
        set { played.dialogue = newValue }
    }

    package func text(_ failure: UpdateFailure) -> String {
        "fail \(failure.code)" + (failure.mayReconnect ? ", again" : "")
    }

    package func omittedOutcome(of command: DialogueCommand<Subject.Ending>) -> DialogueOutcome? { nil }

    package func agrees(_ command: String, with expected: String) -> Bool { command == expected }

    /// The first command on a new link.
    package mutating func begin(writing length: Int = 244) throws(UpdateFailure) -> String {
        try played.begin(writing: length)
        return try nextCommand()
    }

    /// The command after an outcome.
    package mutating func after(_ words: String) -> String {
        do throws(UpdateFailure) {
            try played.take(outcome(of: words), after: words.hasPrefix("early ") ? .zero : nil)
            return try nextCommand()
        } catch { return text(error) }
    }

    /// The first row of `rows` in which another command is given than the expected one; nil if there is none.
    package mutating func mismatch(in rows: [(String, String)]) -> String? {
        for (number, row) in rows.enumerated() {
            let command = after(row.0)
            guard agrees(command, with: row.1) else {
                return "row \(number + 1), after \(row.0): \(command), not \(row.1)"
            }
        }
        return nil
    }

    /// The notices since the last call.
    package mutating func takeNotices() -> [Subject.Notice] { played.takeNotices() }

    private func outcome(of words: String) -> DialogueOutcome {
        let parts = words.split(separator: " ").map(String.init)
        if let outcome = outcome(parts) { return outcome }
        switch parts.first {
        case "done": return .done
        case "absent": return .absent
        case "timeout": return .timedOut
        case "refused": return .refused(status: 0x80)
        case "early" where parts.count == 2: return .value([UInt8](hex: parts[1]))
        default: return .value([UInt8](hex: words))
        }
    }

    private mutating func nextCommand() throws(UpdateFailure) -> String {
        while let outcome = omittedOutcome(of: played.command) { try played.take(outcome) }
        let command = played.command
        if let words = text(command) { return words }
        switch command {
        case .rest(let length): return "rest \(Int((length / .milliseconds(1)).rounded()))"
        case .end(let ending): return text(ending)
        default: return "\(command)"
        }
    }
}

extension DialogueScript where Subject.Ending == ConversationResult {
    package var completion: Completion? { played.completion }

    package func text(_ ending: ConversationResult) -> String {
        switch ending {
        case .complete(let completion): completion.isConfirmed ? "complete" : "complete unconfirmed"
        case .restart(let restart): restart.repeating.map { "restart for \($0.code)" } ?? "restart"
        }
    }
}
