import ArgumentParser

struct Explain: RunningCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the long form of an error code.")

    @Argument(help: "The code, such as link-lost; without one, all codes are listed.") var code: String?
    @OptionGroup var common: CommonOptions

    func perform(_ console: Console) async throws -> ExitStatus {
        guard let code else {
            for entry in Explanation.all { show(entry, console, isShort: true) }
            return .done
        }
        guard let entry = Explanation.known(code) else {
            throw ValidationError("there is no code '\(code)'; `beacon-dfu explain` lists them all")
        }
        show(entry, console, isShort: false)
        return .done
    }

    private func show(_ entry: Explanation, _ console: Console, isShort: Bool) {
        if console.style.isJSON {
            return console.event(
                JSONLine(
                    "explanation",
                    [
                        "code": .text(entry.code), "meaning": .text(entry.meaning),
                        "next_step": .text(entry.nextStep), "exit": .integer(Int(entry.exit.rawValue)),
                    ]))
        }
        if isShort { return console.result(entry.code) }
        console.result("\(console.paint(entry.code, .bold)) (exit \(entry.exit.rawValue))")
        console.result(entry.meaning)
        console.result("Next: \(entry.nextStep).")
    }
}
