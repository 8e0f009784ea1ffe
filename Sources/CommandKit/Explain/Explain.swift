package import ArgumentParser
import Bytes
import Firmware
import Glibc
import UpdateModel

package struct Explain: RunningCommand {
    package static let configuration = CommandConfiguration(
        abstract: "Explain an error code or a finding.",
        discussion: """
            Examples: `beacon-dfu explain link-lost` shows what the code means and what to do; `beacon-dfu explain \
            signature` lists the codes that mention signatures.

            A number from a log or another program is explained after the name of its protocol: `beacon-dfu explain \
            secure:0B:06`, `legacy:06`, `suota:15`, `buttonless:07`, `att:0F` or `hci:3E`, in hexadecimal; without a \
            name, such as `06`, in every protocol.
            """)

    @Argument(
        help:
            "A code such as link-lost, a number such as secure:0B:06, or a word to search for. Default: list all.",
        completion: .list(Explanation.all.map(\.code))
    )
    package var code: String?
    @OptionGroup package var common: CommonOptions

    /// False: it also explains errors of the defaults.
    package var needsDefaults: Bool { false }

    package func perform(_ console: Console) async throws -> ExitStatus {
        guard let word = code?.lowercased() else {
            list(Explanation.groups, console)
            return .done
        }
        if let entry = Explanation.known(word) {
            show(entry, console)
            return .done
        }
        let numbers = RawNumber.read(word)
        guard numbers.isEmpty else {
            try numbers.forEach { try show($0, console) }
            return .done
        }
        let found = Explanation.groups.map { group in
            (
                group.title,
                group.entries.filter { $0.code.contains(word) || $0.meaning.lowercased().contains(word) }
            )
        }
        guard found.contains(where: { !$0.1.isEmpty }) else {
            throw ValidationError(
                "no code or explanation contains '\(word)'"
                    + Spelling.hint(
                        for: word, in: Explanation.all.map(\.code),
                        otherwise: "; `beacon-dfu explain` lists them all"))
        }
        list(found, console)
        return .done
    }

    /// A row for each entry, under the titles of their groups.
    private func list(_ groups: [(title: String, entries: [Explanation])], _ console: Console) {
        guard !console.style.isJSON else {
            return groups.flatMap(\.entries).sorted { $0.code < $1.code }.forEach { show($0, console) }
        }
        let room = isatty(STDOUT_FILENO) == 1 ? TerminalSize.of(STDOUT_FILENO).columns : nil
        let width = groups.flatMap(\.entries).map(\.code.count).max() ?? 0
        var isFirst = true
        for group in groups where !group.entries.isEmpty {
            if !isFirst { console.result("") }
            isFirst = false
            console.result(console.paint(group.title, .bold))
            for entry in group.entries {
                let gap = String(repeating: " ", count: width - entry.code.count + 2)
                let line = TerminalText("  " + entry.code + gap + entry.summary)
                if let room {
                    console.result(line.clipped(to: room))
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
                JSONLine(
                    "number",
                    [
                        "number": .text(number.text), "table": .text(number.table.rawValue),
                        "meaning": .text(entry.meaning), "codes": .list(entry.codes.map(JSONValue.text)),
                    ]))
        }
        console.prose(["\(console.paint(number.text, .bold)), \(number.table.title): \(entry.meaning)"])
        guard !entry.codes.isEmpty else { return }
        console.prose(["codes: \(entry.codes.joined(separator: ", "))"], hanging: 7)
    }

    private func show(_ entry: Explanation, _ console: Console) {
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
        // A warning elsewhere can be an error in `validate`.
        let gate = entry.exit == .done && rule?.level == .error
        let exit = gate ? "exit 1 from `validate`, only a warning elsewhere" : "exit \(entry.exit.rawValue)"
        console.result("\(console.paint(entry.code, .bold)) (\(exit))")
        console.prose([TerminalText(entry.meaning)], hanging: 0)
        if let rule {
            console.prose(["`validate` reports it as \(rule.level.rawValue) (\(rule.category.rawValue))."])
            console.prose(["Why: \(rule.prevents)"], hanging: 5)
        }
        console.prose(["next:  \(entry.nextStep)"], hanging: 7)
    }

    package init() {}
}
