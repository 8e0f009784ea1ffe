import Bytes
import Glibc
import Synchronization
package import Tray
package import UpdateModel

/// The program's output: results go to stdout, messages to stderr. Nothing here waits for a reader (``OutputWriter``).
package final class Console: Sendable {
    package struct Style: Sendable {
        package var isJSON = false
        /// Whether each object of JSON is spread over several lines.
        var isPretty = false
        /// Whether stderr is a terminal on which lines can be redrawn.
        package var isTerminal = false
        package var hasColour = false
        /// Whether stderr gets only warnings and errors.
        var isQuiet = false
    }

    /// Events that become obsolete with the next one of the same kind about the same unit.
    private static let replaceable: Set = ["progress", "current-speed", "chunk"]

    /// How the line of an event is handled; `other` if later events do not make it obsolete.
    package static func importance(
        of event: String, _ slot: String?, else other: OutputWriter.Importance
    ) -> OutputWriter.Importance {
        replaceable.contains(event) ? .latest("\(event) \(slot ?? "")") : other
    }

    package let style: Style
    private let achievement = Mutex<String?>(nil)

    package init(style: Style) {
        self.style = style
        if style.isTerminal { StatusScreen.followStops() }
    }

    package func result(_ line: TerminalText) { put(line.rendered) }

    /// Lines of a result, wrapped at spaces to the terminal's width; a pipe gets unwrapped lines.
    package func results(_ lines: [TerminalText]) {
        if isatty(STDOUT_FILENO) == 1 { prose(lines) } else { lines.forEach(result) }
    }

    /// Sentences as a result, wrapped at spaces to the terminal's width; a pipe gets lines of 80 cells.
    package func prose(_ lines: [TerminalText], hanging: Int = 4) {
        let width = TerminalSize.of(STDOUT_FILENO).columns
        lines.flatMap { $0.wrapped(to: width, hanging: hanging) }.forEach(result)
    }

    /// A result in a syntax of its own, such as XML, of several lines.
    package func document(_ text: String) {
        text.split(separator: "\n").forEach { result(TerminalText(String($0))) }
    }

    /// A result: `line` with `--json`, else `text`.
    package func report(_ line: JSONLine, _ text: @autoclosure () -> [TerminalText]) {
        report(line) { text().forEach(result) }
    }

    /// `line` with `--json`, else what `print` prints.
    package func report(_ line: JSONLine, else print: () -> Void) {
        if style.isJSON { json(line) } else { print() }
    }

    /// The program's own text, printed as it is: help, a script for a shell.
    package func verbatim(_ text: String) { put(text) }

    package func json(_ line: JSONLine) {
        put(laidOut(line.text), Self.importance(of: line.event, line.slot, else: .kept))
    }

    /// One line of JSON, with `--json` only.
    package func event(_ line: JSONLine) { if style.isJSON { json(line) } }

    package func event(_ event: RunEvent) {
        guard style.isJSON else { return }
        put(laidOut(event.text), Self.importance(of: event.event, event.slot, else: .kept))
    }

    /// A line of JSON as `--pretty` has it.
    private func laidOut(_ line: String) -> String {
        guard style.isPretty, let value = try? JSONValue(json: Array(line.utf8)) else { return line }
        return value.indented()
    }

    /// One line on stderr, omitted with `--quiet`.
    package func notice(_ line: TerminalText) { if !style.isQuiet { alert(line) } }

    /// One line on stderr, also with `--quiet`, such as a warning or a question; wrapped at spaces to a terminal's width.
    package func alert(_ line: TerminalText) {
        let lines = style.isTerminal ? line.wrapped(to: TerminalSize.current.columns) : [line]
        StandardWriters.messages.put(lines.map { $0.rendered + "\n" }.joined(), to: STDERR_FILENO)
    }

    /// A line at the bottom of the terminal that is redrawn; an empty one removes it.
    package func draw(bar: TerminalText) { draw(lines: bar.rendered.isEmpty ? [] : [bar]) }

    /// Lines at the bottom of the terminal that are redrawn; an empty list removes them.
    package func draw(lines: [TerminalText]) { if style.isTerminal { StandardWriters.messages.show(lines) } }

    /// Notes a completed result, for the message if its report cannot be written.
    package func note(achievement text: String) { achievement.withLock { $0 = text } }

    /// Why results could not be written, for example because the disk is full; nil if they were, or if their reader has
    /// exited, as `head` does. Valid once everything is written.
    package var outputFailure: CommandFailure? {
        guard let code = StandardWriters.output.error(of: STDOUT_FILENO), code != EPIPE else { return nil }
        let rest = achievement.withLock { $0 }.map { "; \($0), only the report of it is lost" } ?? ""
        return CommandFailure(
            .command.outputFailed, during: "writing the result",
            message: String(cString: strerror(code)) + rest)
    }

    /// Whether the program that read the results has exited, as `head` does: poll(2) then reports an error on the writing
    /// end of a pipe.
    package var hasLostReader: Bool {
        var descriptor = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return poll(&descriptor, 1, 0) > 0 && descriptor.revents & Int16(POLLERR) != 0
    }

    /// `text` in `colour`, if colours are enabled.
    package func paint(_ text: String, _ colour: TerminalText.Colour) -> TerminalText {
        paint(TerminalText(text), colour)
    }

    package func paint(_ text: TerminalText, _ colour: TerminalText.Colour) -> TerminalText {
        style.hasColour ? text.painted(colour) : text
    }

    private func put(_ line: String, _ importance: OutputWriter.Importance = .kept) {
        StandardWriters.output.put(line + "\n", to: STDOUT_FILENO, importance)
    }

    /// A warning, which does not end the command: an event with a code, or a line on stderr. With `isLate` it may come
    /// after the last event, and is always a line on stderr.
    package func warn(_ code: FailureCode, _ text: String, isLate: Bool = false) {
        if style.isJSON, !isLate {
            return event(JSONLine("warning", ["code": .text(code.rawValue), "message": .text(text)]))
        }
        alert("\(paint("warning", .yellow)) \(code): \(text)")
    }
}
