public import ArgumentParser
import CommandKit
import FileCommands
import RadioCommands
import TrayCommands
import UpdateModel

/// The program `beacon-dfu`.
public struct BeaconDFU: AsyncParsableCommand {
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
        groupedSubcommands: [
            CommandGroup(name: "Updating", subcommands: [Flash.self, Batch.self, HistoryCommand.self]),
            CommandGroup(
                name: "Beacons",
                subcommands: [Scan.self, Info.self, Blink.self, ConfigCommand.self, HistoryRead.self]),
            CommandGroup(
                name: "Firmware",
                subcommands: [
                    Inspect.self, Validate.self, Build.self, Keys.self, CatalogueCommand.self,
                ]),
            CommandGroup(
                name: "This machine",
                subcommands: [Doctor.self, Simulate.self, SecretsCommand.self, ConfigFileCommand.self]),
            CommandGroup(name: "Help", subcommands: [Explain.self]),
        ])

    /// A command without arguments, which prints the help.
    public init() {}

    /// Prepares this process to run `root`, another root command with a program's own commands, or ``BeaconDFU``: sets
    /// what a crash prints, opens closed standard descriptors, and drops the capabilities that the command does not need.
    /// Call it before anything else: capabilities belong to threads.
    @MainActor public static func prepare(_ root: any AsyncParsableCommand.Type = BeaconDFU.self) {
        Program.setRootCommand(root)
        Program.reportCrashes()
        Program.adjustPrivileges()
    }

    /// Runs the command line of this process, and ends the process.
    public static func main() async { await Program.main() }
}
