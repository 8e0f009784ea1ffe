import UpdateModel

extension CommandFailure {
    /// The event `failed`.
    package var line: JSONLine {
        var members = details
        members["code"] = .text(code.rawValue)
        members["during"] = .text(during)
        members["message"] = .text(message)
        members["next_step"] = .text(nextStep)
        members["exit"] = .integer(Int(exit.rawValue))
        return JSONLine("failed", members)
    }

    /// Prints the event, or for people three or more lines.
    package func print(on console: Console) {
        console.draw(bar: "")
        console.event(line)
        let isError = exit != .nothingToDo
        let head = console.paint(isError ? "error" : "nothing to do", isError ? .red : .green)
        console.say("\(head) \(code), while \(during): \(message)")
        for remark in remarks { console.say(TerminalText(remark)) }
        console.say("next:  \(nextStep)")
    }
}
