/// How a failure is told: one JSON event, or three lines for people.
struct FailureReport: Sendable {
    let failure: CommandFailure
    let command: String

    init(_ failure: CommandFailure, during command: String) {
        self.failure = failure
        self.command = command
    }

    var line: JSONLine {
        var members = failure.details
        members["code"] = .text(failure.code)
        members["during"] = .text(failure.during)
        members["message"] = .text(failure.message)
        members["next_step"] = .text(failure.nextStep)
        members["exit"] = .integer(Int(failure.exit.rawValue))
        return JSONLine("failed", members)
    }

    func print(on console: Console) {
        console.draw(bar: "")
        console.event(line)
        let head = failure.exit == .nothingToDo ? "nothing to do" : "error"
        console.talk(
            "\(console.paint(head, failure.exit == .nothingToDo ? .green : .red)) \(failure.code), while \(failure.during): \(failure.message)"
        )
        for remark in failure.remarks { console.talk(TerminalText(remark)) }
        console.talk("next:  \(failure.nextStep)")
    }
}
