public import ArgumentParser
import BlueZ
import CBuildNote
import Glibc

/// The program `beacon-dfu`.
public struct BeaconDFU: AsyncParsableCommand {
    /// The program's version.
    public static let version = "0.1.0"

    /// The program's name, help and subcommands.
    ///
    /// The parser's own `--version` would print the program's version, with exit code 0, for any error on a command
    /// line with an option of that name, such as `build suota`. So ``main()`` handles it.
    public static let configuration = CommandConfiguration(
        commandName: "beacon-dfu",
        abstract: "Updates Bluetooth beacons to the right firmware, and verifies it.",
        discussion: """
            Examples: `beacon-dfu scan --adapter sim` lists simulated beacons, without a radio; `beacon-dfu flash \
            lamp.zip --device F0:0D:BE:AC:01:00` updates one; `beacon-dfu validate dist/` checks packages.

            `beacon-dfu --version` prints the version, `beacon-dfu help exit-codes` the meaning of the exit codes, and \
            `beacon-dfu --generate-completion-script bash` (zsh, fish) a completion script for the shell.
            """,
        subcommands: [
            Inspect.self, Validate.self, Build.self, Keys.self, Scan.self, Info.self,
            Blink.self, HistoryRead.self, Flash.self, Batch.self,
            CatalogueCommand.self, HistoryCommand.self, ConfigCommand.self, SecretsCommand.self,
            ConfigFileCommand.self, Simulate.self, Doctor.self, Explain.self,
        ])

    /// A command without arguments, which prints the help.
    public init() {}

    /// Opens closed standard descriptors, drops the capabilities that this command does not need, and uses those that
    /// are needed only once. Call it before anything else: capabilities belong to threads.
    @MainActor public static func adjustPrivileges() {
        StandardWriters.openClosed()
        BluetoothPrivileges.settle(needing: given?.kernelAdapters ?? 0)
    }

    /// The command of this process, parsed once; nil if the command line is invalid, or needs no command.
    private static let given: (any RunningCommand)? = {
        let arguments = RawArguments.all
        guard arguments.first?.hasPrefix("-") == false else { return nil }
        return (try? Program.root.parseAsRoot(arguments)) as? any RunningCommand
    }()

    /// Makes a crash print the program's identity and how to report it.
    public static func reportCrashes() { report_crashes(ProgramIdentity.crashWords) }

    /// Runs the command line of this process, and ends the process.
    public static func main() async {
        let line = CommandLineRun(arguments: RawArguments.all, command: given)
        let status = await line.status()
        let isTold = await StandardWriters.settle()
        Glibc.exit(isTold || status != ExitStatus.done.rawValue ? status : ExitStatus.interrupted.rawValue)
    }
}
