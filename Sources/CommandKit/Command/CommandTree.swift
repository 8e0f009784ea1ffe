import ArgumentParser
import FoundationEssentials

/// The commands and their arguments, as the parser dumps them for documentation.
struct CommandTree: Decodable {
    /// An option, a flag or a positional argument.
    struct Argument: Decodable {
        struct Name: Decodable {
            let kind: String
            let name: String

            /// The name with its dashes.
            var spelling: String { (kind == "long" ? "--" : "-") + name }
        }

        let kind: String
        let names: [Name]?
        let valueName: String?
        let isOptional: Bool
    }

    let commandName: String
    let abstract: String?
    let subcommands: [CommandTree]?
    let arguments: [Argument]?

    /// The tree of the whole program.
    static var whole: CommandTree? {
        struct Dump: Decodable { let command: CommandTree }
        return try? JSONDecoder().decode(Dump.self, from: Data(Program.root._dumpHelp().utf8)).command
    }

    /// The command's options.
    var options: [String] {
        (arguments ?? []).flatMap { ($0.names ?? []).map(\.spelling) } + ["--help", "-h"]
    }

    /// The command's subcommands.
    var commands: [CommandTree] { (subcommands ?? []).filter { $0.commandName != "help" } }
}
