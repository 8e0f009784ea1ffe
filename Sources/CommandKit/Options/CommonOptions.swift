package import ArgumentParser
import Glibc
package import Logging
import Synchronization

enum ColourChoice: String, ExpressibleByArgument, CaseIterable { case auto, always, never }

/// The lowest level of printed diagnostics.
enum LogThreshold: String, ExpressibleByArgument, CaseIterable {
    case trace, debug, info, warning, error

    var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .warning }
}

/// The options with an effect on every command.
package struct BasicOptions: ParsableArguments {
    @Flag(help: "Print JSON Lines to stdout, and nothing else there.") package var json = false
    @Flag(help: "With --json: print each object over several lines, indented, for people.")
    package var pretty = false
    @Flag(
        name: .shortAndLong,
        help: "Print only results, questions, warnings and errors: no progress, no hints.")
    package var quiet = false
    @Option("When to use colours. Default: auto.", valueName: "when") var color: ColourChoice?
    @Option(
        help: ArgumentHelp(
            "Stop the command after this time, in seconds, like Ctrl-C, but with exit code 75.",
            valueName: "seconds"
        ),
        transform: TimeLimit.reading)
    package var timeout: TimeLimit?

    package init() {}

    package mutating func validate() throws {
        try require(json || !pretty, "--pretty lays out the output of --json: give both")
    }
}

/// The options of commands that use an adapter: only these commands have diagnostics.
package struct LogOptions: ParsableArguments {
    @Option("Print diagnostics of this level and above. Default: warning.", valueName: "level")
    var logLevel: LogThreshold?
    @Option(
        "Append diagnostics to this file, a new one or an earlier log, instead of printing them.",
        valueName: "path", completion: .file())
    var logFile: String?

    package init() {}
}

/// The option of commands that write files.
package struct OverwriteOption: ParsableArguments {
    @Flag(
        help: """
            Overwrite existing files of any kind; without it only those of the same kind as the output. \
            Keys and the command's input files are never overwritten.
            """)
    var overwrite = false

    package init() {}
}

/// The options of a command without diagnostics and output files. It accepts the options of other commands, too, but
/// its help does not list them.
package struct PlainOptions: ParsableArguments {
    @OptionGroup var basic: BasicOptions
    @OptionGroup(visibility: .hidden) var log: LogOptions
    @OptionGroup(visibility: .hidden) var overwriting: OverwriteOption

    package var common: CommonOptions { CommonOptions(basic, log, overwriting) }

    package init() {}
}

/// The options of a command without diagnostics that writes a file.
package struct WritingOptions: ParsableArguments {
    @OptionGroup var basic: BasicOptions
    @OptionGroup var overwriting: OverwriteOption
    @OptionGroup(visibility: .hidden) var log: LogOptions

    package var common: CommonOptions { CommonOptions(basic, log, overwriting) }

    package init() {}
}

/// The options that every command takes.
package struct CommonOptions: ParsableArguments {
    @OptionGroup var basic: BasicOptions
    @OptionGroup var log: LogOptions
    @OptionGroup var overwriting: OverwriteOption

    package var json: Bool { basic.json }
    package var quiet: Bool { basic.quiet }
    package var timeout: TimeLimit? { basic.timeout }
    package var logFile: String? { log.logFile }
    var overwrite: Bool { overwriting.overwrite }

    package init() {}

    fileprivate init(_ basic: BasicOptions, _ log: LogOptions, _ overwriting: OverwriteOption) {
        self.init()
        (self.basic, self.log, self.overwriting) = (basic, log, overwriting)
    }

    package var console: Console {
        let isTerminal = isatty(STDERR_FILENO) == 1 && !Self.isDumb
        let hasColour: Bool
        switch basic.color ?? Defaults[.color].flatMap(ColourChoice.init) ?? .auto {
        case .always: hasColour = true
        case .never: hasColour = false
        case .auto:
            let isPlain = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
            hasColour = isatty(STDOUT_FILENO) == 1 && isTerminal && !isPlain
        }
        return Console(
            style: Console.Style(
                isJSON: json, isPretty: basic.pretty, isTerminal: isTerminal && !quiet, hasColour: hasColour,
                isQuiet: quiet))
    }

    /// Opens the log, if `rule` allows its file. A log that ends early is reported once.
    package func logger(under rule: OutputRule) throws(CommandFailure) -> Logger {
        let level = (log.logLevel ?? Defaults[.logLevel].flatMap(LogThreshold.init) ?? .warning).level
        guard let logFile = logFile ?? Defaults[.logFile] else {
            return Self.logger(level, StandardWriters.messages, STDERR_FILENO)
        }
        let console = console
        let writer = StandardWriters.new { error in
            console.warn(
                .command.logCutShort, "\(logFile) is cut short: \(String(cString: strerror(error)))",
                isLate: true)
        }
        return Self.logger(level, writer, try OutputFile.open(logFile, as: .log, under: rule).descriptor)
    }

    private static func logger(_ level: Logger.Level, _ writer: OutputWriter, _ descriptor: Int32) -> Logger {
        Logger(label: "beacon-dfu") { label in
            TextLogHandler(logLevel: level, label: label, writer: writer, descriptor: descriptor)
        }
    }

    /// Whether the terminal cannot redraw lines, as in some editors.
    private static var isDumb: Bool { getenv("TERM").map { String(cString: $0) == "dumb" } ?? true }
}

/// The time limit of a command (`--timeout`).
package final class TimeLimit: Sendable {
    let seconds: Int
    private let hasEnded = Atomic(false)

    init(seconds: Int) { self.seconds = seconds }

    /// Parses 1 to 86400 seconds, a day.
    static func reading(_ argument: String) throws -> TimeLimit {
        guard let seconds = Int(argument), (1...86400).contains(seconds) else {
            throw ValidationError("'\(argument)' is not a number of seconds from 1 to 86400")
        }
        return TimeLimit(seconds: seconds)
    }

    var isOver: Bool { hasEnded.load(ordering: .relaxed) }

    func end() { hasEnded.store(true, ordering: .relaxed) }
}

/// Throws an error of the command line, with `message`, unless `isMet`.
package func require(_ isMet: Bool, _ message: @autoclosure () -> String) throws(ValidationError) {
    guard isMet else { throw ValidationError(message()) }
}

/// Throws if the time given with `option` is not above 0 and at most `most`.
package func require(seconds: Double?, of option: String, atMost most: Int) throws(ValidationError) {
    try require(
        seconds.map { $0 > 0 && $0 <= Double(most) } ?? true,
        "\(option) is a number of seconds, above 0 and at most \(most)")
}
