import ArgumentParser
import Bytes
import FoundationEssentials

/// Messages about wrong names on a command line.
///
/// For a misspelt option, the parser would first report that another one is missing, and it suggests no commands.
struct CommandLineAdvice {
    /// The last known command on the command line.
    private let command: CommandTree
    /// Its name, after those of its parent commands.
    private let path: [String]
    /// What follows the command's name.
    private let rest: [String]
    /// A word that should be a command but is unknown.
    private let unknownCommand: String?

    init(_ arguments: [String], _ tree: CommandTree) {
        var (command, path, rest) = (tree, [tree.commandName], arguments[...])
        if rest.first == "help" { rest = rest.dropFirst() }
        while let word = rest.first, let next = command.commands.first(where: { $0.commandName == word }) {
            command = next
            path.append(word)
            rest = rest.dropFirst()
        }
        (self.command, self.path, self.rest) = (command, path, Array(rest))
        let isUnknown = rest.first?.hasPrefix("-") == false && !command.commands.isEmpty
        unknownCommand = isUnknown ? rest.first : nil
    }

    /// A message about the first unknown name; nil if all names are known.
    var unknownName: String? {
        if let unknownCommand {
            let names = command.commands.map(\.commandName)
            return "there is no command '\(unknownCommand)'"
                + Spelling.hint(
                    for: unknownCommand, in: names,
                    otherwise: "; the commands are \(names.joined(separator: ", "))"
                )
        }
        for word in rest.prefix(while: { $0 != "--" }) where word.hasPrefix("-") {
            let option = String(word.prefix { $0 != "=" })
            guard option.drop(while: { $0 == "-" }).first?.isLetter == true else { continue }
            guard !command.options.contains(option) else { continue }
            if option == Self.completion { return wrongShell }
            if let message = misplacement(of: option) { return message }
            guard option.hasPrefix("--") || option.count == 2 else {
                if command.options.contains("-" + option) {
                    return "there is no option '\(option)'; did you mean '-\(option)'?"
                }
                return "'\(word)' is read as options; for a file of that name write './\(word)'"
            }
            return "there is no option '\(option)'"
                + Spelling.hint(
                    for: option, in: command.options,
                    otherwise: "; `\(path.joined(separator: " ")) --help` lists them")
        }
        return nil
    }

    /// The parser's own option, which its dump does not list.
    private static let completion = "--generate-completion-script"

    /// A message about the option for completion, whose value is not a shell.
    private var wrongShell: String {
        let value = rest.drop { !$0.hasPrefix(Self.completion) }.joined(separator: " ")
            .dropFirst(Self.completion.count + 1).prefix { $0 != " " }
        let shells = CompletionShell.allCases.map(\.rawValue).joined(separator: ", ")
        return "'\(value)' of \(Self.completion) is not one of the shells \(shells)"
    }

    /// A message about an option before its command; nil if no later command has the option.
    private func misplacement(of option: String) -> String? {
        var (later, names) = (command, path)
        for word in rest {
            guard let next = later.commands.first(where: { $0.commandName == word }) else { continue }
            later = next
            names.append(word)
        }
        guard names != path, later.options.contains(option) else { return nil }
        return "options come after the command: `\(names.joined(separator: " ")) \(option)`"
    }

    /// The usage of `type`, the command, as the parser prints it below an error.
    func usage(of type: any ParsableCommand.Type) -> [String] {
        ("Usage: " + Program.root.usageString(for: type)).split(separator: "\n").map(String.init)
            + ["  See '\(path.joined(separator: " ")) --help' for more information."]
    }

    var missingOptions: String? {
        let given = Set(rest.map { String($0.prefix { $0 != "=" }) })
        let missing = (command.arguments ?? []).filter { argument in
            let names = argument.names ?? []
            return argument.kind == "option" && !argument.isOptional
                && !names.contains { given.contains($0.spelling) }
        }
        guard !missing.isEmpty else { return nil }
        let list = missing.compactMap { argument in
            argument.names?.first.map { "\($0.spelling) <\(argument.valueName ?? "value")>" }
        }
        return "\(list.joined(separator: " and ")) \(list.count == 1 ? "is" : "are") missing"
    }
}

/// The commands and their arguments, as the parser dumps them for documentation.
struct CommandTree: Decodable {
    /// An option, a flag or a positional argument.
    struct Argument: Decodable {
        struct Name: Decodable {
            let kind: String
            let name: String

            var spelling: String { (kind == "long" ? "--" : "-") + name }
        }

        let kind: String
        let names: [Name]?
        let valueName: String?
        let isOptional: Bool
    }

    let commandName: String
    let subcommands: [CommandTree]?
    let arguments: [Argument]?

    static var ofProgram: CommandTree? {
        struct Dump: Decodable { let command: CommandTree }
        return try? JSONDecoder().decode(Dump.self, from: Data(Program.root._dumpHelp().utf8)).command
    }

    var options: [String] {
        (arguments ?? []).flatMap { ($0.names ?? []).map(\.spelling) } + ["--help", "-h"]
    }

    var commands: [CommandTree] { (subcommands ?? []).filter { $0.commandName != "help" } }
}
