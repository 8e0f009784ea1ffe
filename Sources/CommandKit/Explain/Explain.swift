package import ArgumentParser
import Bytes
import Glibc
package import UpdateModel

package struct Explain: PlainCommand {
    package static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Explain an error code or a finding.",
        discussion: """
            Examples: `beacon-dfu explain link-lost` shows what the code means and what to do; `beacon-dfu explain \
            signature` lists the codes that mention signatures.

            To explain a number from a log or another program, give it after the name of its protocol: `beacon-dfu \
            explain \(numbers)`, in \(notation). A number without a name, such as `06`, is looked up in every protocol.
            """)

    /// A number of each protocol.
    private static var numbers: String {
        let examples = RawNumber.tables.map { "\($0.name):\($0.example)" }
        return examples.dropLast().joined(separator: "`, `") + "` or `" + (examples.last ?? "")
    }

    private static var notation: String {
        let decimal = RawNumber.tables.filter(\.isDecimal).map { "`\($0.name)`" }
        return "hexadecimal" + (decimal.isEmpty ? "" : ", but decimal for \(decimal.joined(separator: ", "))")
    }

    @Argument(
        help:
            "A code such as link-lost, a number such as secure:0B:06, or a word to search for. Default: list all.",
        completion: .list(FailureCode.all.map(\.rawValue)))
    package var code: String?
    @OptionGroup package var plain: PlainOptions

    /// False: it also explains errors of the defaults.
    package var needsDefaults: Bool { false }

    package func perform(_ console: Console) async throws -> ExitStatus {
        guard let word = code?.lowercased() else {
            list(FailureCode.topics, console)
            return .done
        }
        if let entry = FailureCode.known(word) {
            show(entry, console)
            return .done
        }
        let numbers = RawNumber.read(word)
        guard numbers.isEmpty else {
            try numbers.forEach { try show($0, console) }
            return .done
        }
        let found = FailureCode.topics.map { topic in
            (
                topic.title,
                topic.codes.filter { $0.rawValue.contains(word) || $0.meaning.lowercased().contains(word) }
            )
        }
        try require(
            found.contains(where: { !$0.1.isEmpty }),
            "no code or explanation contains '\(word)'"
                + Spelling.hint(
                    for: word, in: FailureCode.all.map(\.rawValue),
                    otherwise: "; `beacon-dfu explain` lists them all"))
        list(found, console)
        return .done
    }

    /// A row for each code, under the titles of their topics.
    private func list(_ topics: [(title: String, codes: [FailureCode])], _ console: Console) {
        guard !console.style.isJSON else {
            return topics.flatMap(\.codes).sorted { $0.rawValue < $1.rawValue }.forEach { show($0, console) }
        }
        let columns = isatty(STDOUT_FILENO) == 1 ? TerminalSize.of(STDOUT_FILENO).columns : nil
        let width = topics.flatMap(\.codes).map(\.rawValue.count).max() ?? 0
        var isFirst = true
        for topic in topics where !topic.codes.isEmpty {
            if !isFirst { console.result("") }
            isFirst = false
            console.result(console.paint(topic.title, .bold))
            for code in topic.codes {
                let gap = String(repeating: " ", count: width - code.rawValue.count + 2)
                let line = TerminalText("  " + code.rawValue + gap + code.summary)
                if let columns {
                    console.result(line.clipped(to: columns))
                } else {
                    console.prose([line], hanging: width + 2)
                }
            }
        }
    }

    private func show(_ number: RawNumber, _ console: Console) throws {
        guard let entry = number.entry else {
            throw ValidationError("\(number.text) is not known as \(number.table.title)")
        }
        guard !console.style.isJSON else {
            return console.event(
                JSONLine("number").adding([
                    "number": .text(number.text), "table": .text(number.table.name),
                    "meaning": .text(entry.meaning), "codes": .list(entry.codes.map { .text($0.rawValue) }),
                ]))
        }
        console.prose(["\(console.paint(number.text, .bold)), \(number.table.title): \(entry.meaning)"])
        guard !entry.codes.isEmpty else { return }
        console.prose(["codes: \(entry.codes.map(\.rawValue).joined(separator: ", "))"], hanging: 7)
    }

    private func show(_ code: FailureCode, _ console: Console) {
        let (rule, nextStep) = (code.rule, code.nextStep.withOptions)
        if console.style.isJSON {
            return console.event(
                JSONLine("explanation").adding([
                    "code": .text(code.rawValue), "meaning": .text(code.meaning),
                    "next_step": .text(nextStep), "exit": .integer(code.exit.rawValue),
                    "rule": rule.map { .text($0.level.rawValue) } ?? .null,
                    "prevents": .optional(rule?.prevents),
                ]))
        }
        // A warning elsewhere can be an error in `validate`.
        let isGateError = code.exit == .done && rule?.level == .error
        let exit =
            isGateError ? "exit 1 from `validate`, only a warning elsewhere" : "exit \(code.exit.rawValue)"
        console.result("\(console.paint(code.rawValue, .bold)) (\(exit))")
        console.prose([TerminalText(code.meaning)], hanging: 0)
        if let rule {
            console.prose(["`validate` reports it as \(rule.level.rawValue) (\(rule.category.rawValue))."])
            console.prose(["Why: \(rule.prevents)"], hanging: 5)
        }
        console.prose(["next:  \(nextStep)"], hanging: 7)
    }

    package init() {}
}
