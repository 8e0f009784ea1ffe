import ArgumentParser
import Glibc
import Logging

/// When to use colours.
enum ColourChoice: String, ExpressibleByArgument, CaseIterable {
    case auto
    case always
    case never
}

/// From which level on diagnostics are printed.
enum LogThreshold: String, ExpressibleByArgument, CaseIterable {
    case trace
    case debug
    case info
    case warning
    case error

    var level: Logger.Level {
        switch self {
        case .trace: .trace
        case .debug: .debug
        case .info: .info
        case .warning: .warning
        case .error: .error
        }
    }
}

/// What every command takes.
struct CommonOptions: ParsableArguments {
    @Flag(help: "Print JSON Lines to stdout, and nothing else there.") var json = false
    @Option(help: ArgumentHelp("Use colours.", valueName: "when")) var color = ColourChoice.auto
    @Option(help: ArgumentHelp("Print diagnostics from this level on.", valueName: "level"))
    var logLevel = LogThreshold.warning
    @Option(help: ArgumentHelp("Append diagnostics to this file instead of stderr.", valueName: "path"))
    var logFile: String?

    var console: Console {
        let isTerminal = isatty(STDERR_FILENO) == 1
        let hasColour: Bool
        switch color {
        case .always: hasColour = true
        case .never: hasColour = false
        case .auto:
            let isPlain = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
            hasColour = isatty(STDOUT_FILENO) == 1 && isTerminal && !isPlain
        }
        return Console(style: Console.Style(isJSON: json, isTerminal: isTerminal, hasColour: hasColour))
    }

    func logger() throws(CommandFailure) -> Logger {
        var descriptor = STDERR_FILENO
        if let logFile {
            descriptor = open(logFile, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else {
                throw CommandFailure(
                    "file-not-found", during: "opening the log",
                    message: "\(logFile) cannot be written: \(String(cString: strerror(errno)))")
            }
        }
        let level = logLevel.level
        return Logger(label: "beacon-dfu") { label in
            TextLogHandler(logLevel: level, label: label, descriptor: descriptor)
        }
    }
}
