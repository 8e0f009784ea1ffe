package import CommandKit
import Tray
package import TrayJournal
package import UpdateModel

extension HistoryCommand {
    /// The value of `--run` for the run that began last.
    static let latest = "latest"

    /// Writes the report of the selected run.
    package func write(_ reports: ReportFiles, from path: String, _ console: Console) async throws
        -> ExitStatus
    {
        try reports.check(under: outputs)
        let journal = try await Journal.reading(path)
        let id = try await Self.run(filter.run ?? Self.latest, in: journal)
        guard let record = try await journal.record(of: id) else {
            throw Self.unknown("there is no run \(id)")
        }
        try reports.write(record, under: outputs, console)
        return .done
    }

    /// The id of the one run that `text` selects.
    package static func run(_ text: String, in journal: Journal) async throws -> String {
        let runs =
            try await text == latest ? journal.runs(limit: 1) : journal.runs(beginning: text)
        guard let run = runs.first else {
            throw unknown("\(journal.path) has no run \(text == latest ? "at all" : text)")
        }
        guard runs.count == 1 else {
            throw unknown(
                "run id '\(text)' is ambiguous: it matches \(runs.count) runs, for example \(run.run.id)")
        }
        return run.run.id
    }

    private static func unknown(_ words: String) -> CommandFailure {
        CommandFailure(.tray.runUnknown, during: "looking for the run", message: words)
    }
}
