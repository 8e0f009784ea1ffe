import Bytes
import CommandKit
import UpdateModel
import WorkServer

protocol ServerCommand: PlainCommand { var server: ServerOptions { get } }

extension ServerCommand {
    var source: AdminOptions { server.source }
    var plain: PlainOptions { server.plain }
}

/// A command that queries the work server; its connection is closed however the command ends.
protocol AdminCommand: ServerCommand {
    func perform(with admin: WorkServerAdmin, _ console: Console) async throws -> ExitStatus
}

extension AdminCommand {
    func perform(_ console: Console) async throws -> ExitStatus {
        let session = try source.session()
        return try await session.closing { _ in
            try await perform(with: WorkServerAdmin(over: session), console)
        }
    }
}

extension Console {
    /// Reports what a command has done: the event with `--json`, else `words` and, on stderr, `advice`.
    func done(
        _ event: String, _ members: [String: JSONValue], _ words: TerminalText,
        _ status: ExitStatus = .done, next advice: TerminalText? = nil
    ) -> ExitStatus {
        report(JSONLine(event, members)) {
            result(words)
            if let advice { notice(advice) }
        }
        return status
    }

    /// Reports `rows`: each as an event with `--json`, otherwise all as a table.
    func list<Row: Listed>(_ rows: [Row]) {
        guard !style.isJSON else { return rows.forEach { json($0.line) } }
        Table(headings: Row.headings).print(rows.map(\.cells), on: self)
    }
}

/// An element of a list that a command prints: a line of `--json`, or a row of a table.
protocol Listed {
    static var headings: [String] { get }
    var line: JSONLine { get }
    var cells: [TerminalText] { get }
}
