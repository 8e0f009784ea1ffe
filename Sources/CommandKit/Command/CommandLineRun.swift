import ArgumentParser
import Bytes
import CBuildNote
import Glibc
import UpdateModel

/// One run of the program: parses the command line, runs the command, and prints help, the version and usage errors.
struct CommandLineRun {
    let arguments: [String]
    /// The command of the arguments, if already parsed.
    var command: (any RunningCommand)?

    private var console: Console {
        Console(
            style: Console.Style(
                isJSON: arguments.contains("--json"), isPretty: arguments.contains("--pretty")))
    }

    /// Runs the command line; returns the exit code.
    func status() async -> Int32 {
        switch arguments {
        case ["--version"], ["-V"], ["version"]:
            return await print(ProgramIdentity.own.lines.joined(separator: "\n"))
        case ["--version", "--json"], ["--json", "--version"], ["version", "--json"]:
            return await print(ProgramIdentity.own.line.text)
        case ["help", "exit-codes", "--json"]: return await print(Self.exitStatusLines)
        case ["help", "exit-codes"]: return await print(Self.exitStatusTable)
        default: break
        }
        var running: (any ParsableCommand.Type)?
        do {
            if let name = RawArguments.fileLikeOptions(in: arguments) {
                throw ValidationError(
                    "\(name) is read as options; for the file write ./\(name), or -- before it")
            }
            // The parser would answer these with help, and exit code 0.
            let isMisread =
                arguments.first == "help" || arguments.contains(where: RawArguments.isShortOptions)
            if isMisread, let problem = advice?.unknownName { throw ValidationError(problem) }
            var command: any ParsableCommand = try self.command ?? Program.root.parseAsRoot(arguments)
            running = type(of: command)
            if var running = command as? any AsyncParsableCommand {
                try await running.run()
            } else {
                try command.run()
            }
            return ExitStatus.done.rawValue
        } catch let code as ExitCode {
            return code.rawValue
        } catch {
            guard Program.root.exitCode(for: error).isSuccess else { return report(error, of: running) }
            return await print(Program.root.fullMessage(for: error))
        }
    }

    private static var exitStatusTable: String {
        ExitStatus.allCases.map { status in
            let number = String(status.rawValue)
            return String(repeating: " ", count: 3 - number.count) + number + "  " + status.meaning
        }
        .joined(separator: "\n")
    }

    private static var exitStatusLines: String {
        ExitStatus.allCases.map { status in
            JSONLine("exit-code", ["exit": .integer(Int(status.rawValue)), "meaning": .text(status.meaning)])
                .text
        }
        .joined(separator: "\n")
    }

    /// Prints requested text: the version, help, a completion script.
    private func print(_ text: String) async -> Int32 {
        let console = console
        console.verbatim(text)
        _ = await StandardWriters.flush()
        guard let failure = console.outputFailure else { return ExitStatus.done.rawValue }
        failure.print(on: console)
        return failure.exit.rawValue
    }

    private var advice: CommandLineAdvice? { CommandTree.ofProgram.map { CommandLineAdvice(arguments, $0) } }

    /// A better message about a wrong command line than the parser's, if there is one.
    private func betterMessage(for error: any Error) -> String? {
        guard Program.root.exitCode(for: error) == .validationFailure, let advice else { return nil }
        let isMissing = Program.root.message(for: error).hasPrefix("Missing expected argument '-")
        return advice.unknownName ?? (isMissing ? advice.missingOptions : nil)
    }

    /// Prints an error of the command line, and its usage: of the `running` command, if the parser accepted the line.
    private func report(_ error: any Error, of running: (any ParsableCommand.Type)?) -> Int32 {
        let console = console
        let better = betterMessage(for: error)
        let message = escaped(better ?? Program.root.message(for: error))
        let failure = CommandFailure(
            .command.usage, during: "reading the command line",
            message: message.split(separator: "\n").joined(separator: " "))
        console.event(failure.line)
        var lines = Program.root.fullMessage(for: error)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if let better { lines = ["Error: " + better] + lines.drop { !$0.hasPrefix("Usage") } }
        if let running, let advice { lines = ["Error: " + message] + advice.usage(of: running) }
        for line in lines { console.alert(TerminalText(escaped(line))) }
        return Program.root.exitCode(for: error).rawValue
    }

    /// The parser's `text`, with control characters of quoted arguments escaped.
    private func escaped(_ text: String) -> String {
        arguments.reduce(text) { text, argument in
            let clean = VisibleText.escaped(argument)
            return clean == argument ? text : text.replacing(argument, with: clean)
        }
    }
}

/// The command line. `CommandLine.arguments` repairs text that is not UTF-8, and would name other files.
enum RawArguments {
    /// All arguments without the program's name, each as ``PathText``.
    static var all: [String] {
        var arguments: [String] = []
        for index in 1..<max(1, own_argument_count()) {
            guard let argument = own_argument(index) else { break }
            arguments.append(PathText.text(cString: argument))
        }
        return joiningNegativeNumbers(arguments)
    }

    /// `--for -1` as `--for=-1`: the parser takes -1 for an option, and reports that a value is missing.
    static func joiningNegativeNumbers(_ arguments: [String]) -> [String] {
        var joined: [String] = []
        var isOption = false
        for argument in arguments {
            if isOption, isNegativeNumber(argument), let option = joined.popLast() {
                joined.append("\(option)=\(argument)")
            } else {
                joined.append(argument)
            }
            isOption = isLongOption(argument) && !joined.contains("--")
        }
        return joined
    }

    private static func isLongOption(_ argument: String) -> Bool {
        argument.hasPrefix("--") && argument.utf8.count > 2
            && argument.dropFirst(2).allSatisfy { $0 == "-" || $0.isASCII && $0.isLowercase }
    }

    private static func isNegativeNumber(_ argument: String) -> Bool {
        let digits = argument.dropFirst()
        return argument.hasPrefix("-") && digits.first?.isNumber == true
            && digits.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") }
    }

    /// Several short options in one argument, such as `-vh`.
    static func isShortOptions(_ argument: String) -> Bool {
        let letters = argument.dropFirst().prefix(2)
        return argument.hasPrefix("-") && letters.count == 2
            && letters.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    /// An argument that is the name of an existing file but would be parsed as short options: the `h` in `-dash.zip`
    /// would print the help.
    static func fileLikeOptions(in arguments: [String]) -> String? {
        arguments.prefix { $0 != "--" }.first { argument in
            argument.hasPrefix("-") && !argument.hasPrefix("--") && argument.utf8.count > 2
                && access(argument.systemPath, F_OK) == 0
        }
    }
}
