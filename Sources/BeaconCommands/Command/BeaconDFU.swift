public import ArgumentParser
import BlueZ
import CBuildNote
import Glibc

/// The program.
public struct BeaconDFU: AsyncParsableCommand {
    /// The program's version.
    public static let version = "0.1.0"

    /// The program's name, help and subcommands.
    ///
    /// The parser's own `--version` would answer every mistake on a command line that has an option of that name, as
    /// `build suota` has, with the program's version and exit code 0. So ``main()`` answers it.
    public static let configuration = CommandConfiguration(
        commandName: "beacon-dfu",
        abstract: "Brings Bluetooth beacons onto the right, verified firmware.",
        discussion: """
            Examples: `beacon-dfu scan --adapter sim` lists simulated beacons, without a radio; `beacon-dfu flash lamp.zip \
            --device F0:0D:BE:AC:01:00` updates one; `beacon-dfu validate dist/` checks packages.

            `beacon-dfu --version` prints the version, `beacon-dfu help exit-codes` what the exit codes mean, and \
            `beacon-dfu --generate-completion-script bash` (zsh, fish) a script for the shell.
            """,
        subcommands: [
            Inspect.self, Validate.self, Build.self, Keys.self, Scan.self, Info.self,
            Blink.self, HistoryRead.self, Flash.self, Batch.self,
            CatalogueCommand.self, HistoryCommand.self, ConfigCommand.self, SecretsCommand.self,
            ConfigFileCommand.self, Simulate.self, Doctor.self, Explain.self,
        ])

    /// A command without arguments, which prints the help.
    public init() {}

    /// Opens whichever of stdin, stdout and stderr is closed, drops the capabilities that this command does not need,
    /// and uses those that are needed only once. Has to come before anything else: capabilities belong to threads.
    @MainActor public static func adjustPrivileges() {
        StandardWriters.openClosed()
        BluetoothPrivileges.settle(needing: given?.kernelAdapters ?? 0)
    }

    /// The command of this process, read once; nil where its command line is none, or is answered without one.
    private static let given: (any RunningCommand)? = {
        let arguments = RawArguments.all
        guard arguments.first?.hasPrefix("-") == false else { return nil }
        return (try? Program.root.parseAsRoot(arguments)) as? any RunningCommand
    }()

    /// From now on a crash says which program it was and how to report it.
    public static func reportCrashes() { report_crashes(ProgramIdentity.crashWords) }

    /// Runs the command line of this process, and ends the process.
    public static func main() async {
        let line = CommandLineRun(arguments: RawArguments.all, command: given)
        let status = await line.status()
        let isTold = await StandardWriters.settle()
        Glibc.exit(isTold || status != ExitStatus.done.rawValue ? status : ExitStatus.interrupted.rawValue)
    }
}
