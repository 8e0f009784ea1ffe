import ArgumentParser
import ByteCoding

/// One run of the program: its command line is read, and what does not come from a command is told.
struct CommandLineRun {
    let arguments: [String]

    private var console: Console { Console(style: Console.Style(isJSON: arguments.contains("--json"))) }

    /// Runs it; gives what the process exits with.
    func status() async -> Int32 {
        guard arguments != ["--version"] else { return await tell(BeaconDFU.version) }
        do {
            if let name = RawArguments.fileLikeOptions(in: arguments) {
                throw ValidationError(
                    "\(name) is read as options; for the file write ./\(name), or -- before it")
            }
            var command = try BeaconDFU.parseAsRoot(arguments)
            if var running = command as? any AsyncParsableCommand {
                try await running.run()
            } else {
                try command.run()
            }
            return ExitStatus.done.rawValue
        } catch let code as ExitCode {
            return code.rawValue
        } catch {
            guard BeaconDFU.exitCode(for: error).isSuccess else { return tell(error) }
            return await tell(BeaconDFU.fullMessage(for: error))
        }
    }

    /// Prints what was asked for: the version, help, a completion script.
    private func tell(_ text: String) async -> Int32 {
        let console = console
        console.own(text)
        _ = await StandardOutlets.settle()
        guard let failure = console.outputFailure else { return ExitStatus.done.rawValue }
        FailureReport(failure, during: "printing").print(on: console)
        return failure.exit.rawValue
    }

    /// Says what is wrong with the command line.
    private func tell(_ error: any Error) -> Int32 {
        let console = console
        let message = shown(BeaconDFU.message(for: error))
        let failure = CommandFailure(
            "usage", during: "reading the command line",
            message: message.split(separator: "\n").joined(separator: " "))
        console.event(FailureReport(failure, during: "").line)
        for line in shown(BeaconDFU.fullMessage(for: error)).split(
            separator: "\n", omittingEmptySubsequences: false)
        { console.talk(TerminalText(String(line))) }
        return BeaconDFU.exitCode(for: error).rawValue
    }

    /// The parser's `text`, in which arguments stand as they were given, line ends included.
    private func shown(_ text: String) -> String {
        arguments.reduce(text) { text, argument in
            let clean = VisibleText.escaped(argument)
            return clean == argument ? text : text.replacing(argument, with: clean)
        }
    }
}
