package import ArgumentParser
import BlueZ
import Bytes
import CBuildNote
import FoundationEssentials
import Glibc
import Synchronization
import TrayJournal
import UpdateModel

/// The program of this process: its commands, name and version.
public enum Program {
    /// The version of both programs.
    public static let version = "0.1.0"

    private static let rootCommand = Mutex<any AsyncParsableCommand.Type>(NoCommands.self)

    /// A program without commands, until ``setRootCommand(_:)``.
    private struct NoCommands: AsyncParsableCommand {}

    /// Makes `root` the root command of this process. Call it before anything else.
    package static func setRootCommand(_ root: any AsyncParsableCommand.Type) {
        rootCommand.withLock { $0 = root }
    }

    package static var root: any AsyncParsableCommand.Type { rootCommand.withLock { $0 } }

    package static var name: String { root.configuration.commandName ?? "beacon-dfu" }

    /// Opens closed standard descriptors, drops the capabilities that this command does not need, and uses those that
    /// are needed only once. Call it after ``setRootCommand(_:)``, before anything else: capabilities belong to
    /// threads.
    @MainActor package static func adjustPrivileges() {
        StandardWriters.openMissing()
        BluetoothPrivileges.reduce(
            toUse: parsedCommand?.kernelAdapters ?? 0,
            exclusively: parsedCommand?.hasExclusiveAdapter ?? false)
    }

    /// The command of this process, parsed once; nil if the command line is invalid, or needs no command.
    private static let parsedCommand: (any RunningCommand)? = {
        let arguments = RawArguments.all
        guard arguments.first?.hasPrefix("-") == false else { return nil }
        return (try? root.parseAsRoot(arguments)) as? any RunningCommand
    }()

    /// Makes a crash print the program's identity and how to report it.
    package static func reportCrashes() { report_crashes(ProgramIdentity.crashText) }

    /// Runs the command line of this process, and ends the process.
    package static func main() async {
        let line = CommandLineRun(arguments: RawArguments.all, command: parsedCommand)
        let status = await line.status()
        let isOutputWritten = await StandardWriters.flush()
        Glibc.exit(
            isOutputWritten || status != ExitStatus.done.rawValue ? status : ExitStatus.interrupted.rawValue)
    }
}

/// The identity of this program, which `--version` and crashes print.
struct ProgramIdentity {
    /// The package note that `scripts/package/stamp` wrote into the program.
    struct Note: Decodable, Equatable {
        var commit: String?
        /// ISO 8601, UTC.
        var built: String?
    }

    let note: Note
    /// `.note.gnu.build-id` in hexadecimal, by which debuggers find the symbols. Nil if the linker wrote none.
    let build: String?
    /// The linked libraries, with their versions on this machine.
    let libraries = [
        ("libzip", ZipReader.libraryVersion), ("zlib", CRC32.libraryVersion),
        ("OpenSSL", SHA256Digest.libraryVersion), ("libyaml", YAMLValue.libraryVersion),
        ("SQLite", Journal.libraryVersion),
    ]

    static var own: ProgramIdentity {
        let text = Data(String(cString: package_note()).utf8)
        return ProgramIdentity(
            note: (try? JSONDecoder().decode(Note.self, from: text)) ?? Note(), build: ownBuild)
    }

    private static var ownBuild: String? {
        var identifier = [CChar](repeating: 0, count: 65)
        build_identifier(&identifier, identifier.count)
        let digits = String(
            decoding: identifier.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return digits.isEmpty ? nil : digits
    }

    /// The lines of `--version`; the first one is for scripts.
    var lines: [String] {
        let origin = [
            note.commit.map { "commit \($0)" }, note.built.map { "built \($0)" },
            build.map { "build id \($0)" },
        ]
        return [
            "\(Program.name) \(Program.version)", origin.compactMap(\.self).joined(separator: ", "),
            "with " + libraries.map { "\($0) \($1)" }.joined(separator: ", "),
        ].filter { !$0.isEmpty }
    }

    /// The object of `--version --json`.
    var line: JSONLine {
        JSONLine("version").adding([
            "version": .text(Program.version), "commit": .optional(note.commit),
            "built": .optional(note.built), "build_id": .optional(build),
            "libraries": .object(Dictionary(uniqueKeysWithValues: libraries.map { ($0, .text($1)) })),
        ])
    }

    /// What a crash prints before the addresses of its calls. Made at the start: a crash handler cannot format text.
    static var crashText: String {
        [
            "", "This is a bug: \(Program.name) has crashed.", "\(Program.name) \(Program.version)",
            "build id \(ownBuild ?? "unknown") \(String(cString: package_note()))",
            "Report these lines and those below with the command line, without passwords: CONTRIBUTING.md, Crashes.",
            "",
        ].joined(separator: "\n")
    }
}
