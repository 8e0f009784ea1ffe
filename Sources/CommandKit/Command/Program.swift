package import ArgumentParser
import BlueZ
import CBuildNote
import Glibc
import Synchronization
import UpdateModel

/// The program of this process: its commands, name and version.
public enum Program {
    /// The version of both programs.
    public static let version = "0.1.0"

    private static let chosen = Mutex<any AsyncParsableCommand.Type>(NoCommands.self)

    /// A program without commands, until ``become(_:)``.
    private struct NoCommands: AsyncParsableCommand {}

    /// Makes `root` the root command of this process. Call it before anything else.
    package static func become(_ root: any AsyncParsableCommand.Type) { chosen.withLock { $0 = root } }

    /// The root command.
    package static var root: any AsyncParsableCommand.Type { chosen.withLock { $0 } }

    /// The program's name.
    package static var name: String { root.configuration.commandName ?? "beacon-dfu" }

    /// Opens closed standard descriptors, drops the capabilities that this command does not need, and uses those that
    /// are needed only once. Call it after ``become(_:)``, before anything else: capabilities belong to threads.
    @MainActor package static func adjustPrivileges() {
        StandardWriters.openClosed()
        BluetoothPrivileges.settle(needing: given?.kernelAdapters ?? 0)
    }

    /// The command of this process, parsed once; nil if the command line is invalid, or needs no command.
    private static let given: (any RunningCommand)? = {
        let arguments = RawArguments.all
        guard arguments.first?.hasPrefix("-") == false else { return nil }
        return (try? root.parseAsRoot(arguments)) as? any RunningCommand
    }()

    /// Makes a crash print the program's identity and how to report it.
    package static func reportCrashes() { report_crashes(ProgramIdentity.crashWords) }

    /// Runs the command line of this process, and ends the process.
    package static func main() async {
        let line = CommandLineRun(arguments: RawArguments.all, command: given)
        let status = await line.status()
        let isTold = await StandardWriters.settle()
        Glibc.exit(isTold || status != ExitStatus.done.rawValue ? status : ExitStatus.interrupted.rawValue)
    }
}
