import ArgumentParser
import ByteCoding
import Validation

struct Explain: RunningCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the long form of an error or a finding.")

    @Argument(help: "The code, such as link-lost; without one, all codes are listed.") var code: String?
    @OptionGroup var common: CommonOptions

    func perform(_ console: Console) async throws -> ExitStatus {
        guard let code else {
            for entry in Explanation.all { show(entry, console, isShort: true) }
            return .done
        }
        guard let entry = Explanation.known(code.lowercased()) else {
            throw ValidationError("there is no code '\(code)'; `beacon-dfu explain` lists them all")
        }
        show(entry, console, isShort: false)
        return .done
    }

    private func show(_ entry: Explanation, _ console: Console, isShort: Bool) {
        let rule = Rule.named(entry.code)
        if console.style.isJSON {
            return console.event(
                JSONLine(
                    "explanation",
                    [
                        "code": .text(entry.code), "meaning": .text(entry.meaning),
                        "next_step": .text(entry.nextStep), "exit": .integer(Int(entry.exit.rawValue)),
                        "rule": rule.map { .text($0.level.rawValue) } ?? .null,
                        "prevents": .optional(rule?.prevents),
                    ]))
        }
        if isShort { return console.result(TerminalText(entry.code)) }
        // What warns elsewhere can be an error of the gate.
        let gate = entry.exit == .done && rule?.level == .error
        let exit = gate ? "exit 1 from `validate`, only a warning elsewhere" : "exit \(entry.exit.rawValue)"
        console.result("\(console.paint(entry.code, .bold)) (\(exit))")
        console.result(TerminalText(entry.meaning))
        if let rule {
            console.result("`validate` has it as \(rule.level.rawValue) of \(rule.category.rawValue).")
            console.result("Why: \(rule.prevents)")
        }
        console.result("Next: \(entry.nextStep).")
    }
}
