public import ArgumentParser
import BlueZ

/// The program.
public struct BeaconDFU: AsyncParsableCommand {
    /// The program's version.
    static let version = "0.1.0"

    /// Name and subcommands.
    ///
    /// The parser's own `--version` would answer every mistake on a command line that has an option of that name, as
    /// `build suota` has, with the program's version and exit code 0. So ``main()`` answers it.
    public static let configuration = CommandConfiguration(
        commandName: "beacon-dfu",
        abstract: "Brings Bluetooth beacons onto the right, verified firmware.",
        discussion: """
            `beacon-dfu --version` prints the version, `beacon-dfu help exit-codes` what the exit codes mean, and \
            `beacon-dfu --generate-completion-script bash` (zsh, fish) a script for the shell.
            """,
        subcommands: [
            Inspect.self, Validate.self, Build.self, Keys.self, Scan.self, Info.self, Flash.self, Doctor.self,
            Explain.self,
        ])

    /// The program without arguments prints its help.
    public init() {}

    /// Gives up the capabilities that this process's command does not need, and uses what it needs only once. Has to
    /// come before anything else: capabilities are those of each thread.
    @MainActor public static func settlePrivileges() {
        let command = (try? parseAsRoot()) as? any RunningCommand
        BluetoothPrivileges.settle(needingAdapter: command?.needsKernel ?? false)
    }

    /// Parses the command line of this process and runs it.
    public static func main() async {
        let arguments = RawArguments.all
        switch arguments {
        case ["--version"], ["-V"], ["version"]: return print(version)
        case ["help", "exit-codes"]: return print(ExitStatus.table)
        default: break
        }
        RawArguments.refuseFilesLikeOptions(arguments)
        do {
            // What the parser would answer with help, and exit code 0.
            let isMisread =
                arguments.first == "help" || arguments.contains { $0.wholeMatch(of: /-\w{2,}.*/) != nil }
            if isMisread, let problem = advice(arguments)?.unknownName { throw ValidationError(problem) }
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            exit(withError: error, for: arguments)
        }
    }

    private static func advice(_ arguments: [String]) -> CommandLineAdvice? {
        CommandTree.whole.map { CommandLineAdvice(arguments, $0) }
    }

    /// Ends the program, with better words for a wrong command line where there are any.
    private static func exit(withError error: any Error, for arguments: [String]) -> Never {
        guard exitCode(for: error) == .validationFailure, let advice = advice(arguments),
            let words = advice.unknownName
                ?? (message(for: error).hasPrefix("Missing expected argument '-")
                    ? advice.missingOptions : nil)
        else { exit(withError: error) }
        let usage = fullMessage(for: error).split(separator: "\n").map(String.init)
            .drop { !$0.hasPrefix("Usage") }
        (["Error: " + words] + usage).forEach(Console(style: Console.Style()).talk)
        exit(withError: ExitCode.validationFailure)
    }
}
