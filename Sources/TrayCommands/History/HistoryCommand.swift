public import ArgumentParser
import Bytes
package import CommandKit
import Glibc
import Tray
package import TrayJournal
public import UpdateModel

package struct HistoryCommand: RunningCommand {
    package static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show what was installed on which beacon, when, from which file, and with what result.",
        discussion: """
            Example: `beacon-dfu history --device F0:0D:BE:AC:04:00 --outcome failed`.

            The journal has every attempt of every run of a tray, and every single flash; the latest come first. Simulated beacons have \
            a journal of their own, which --simulated shows.
            """, subcommands: [HistoryOutbox.self])

    @OptionGroup package var filter: HistoryFilter
    @OptionGroup package var source: JournalChoice
    @Option(
        "The most attempts to print. Default: 50 in a table, all with --csv and --json.", valueName: "count")
    package var limit: WholeNumber<UInt32>?
    @Flag(help: "Print CSV with a line for each attempt, for spreadsheets.") var csv = false
    @Option(
        "Write a copy of the whole journal to a new file, and print no attempts.", valueName: "path",
        completion: .file())
    var export: String?
    @Option(
        "Write the report of the run given by --run to this file, as `batch --report` does, and print no attempts.",
        valueName: "path", completion: .file())
    package var report: [String] = []
    @Option(
        "Delete the runs that began before this moment, with --yes; without it, print how many there are.",
        valueName: "moment")
    var deleteBefore: HistoryMoment?
    @Flag(help: "Delete the runs that --delete-before selects.") var yes = false
    @OptionGroup package var writing: WritingOptions

    package var common: CommonOptions { writing.common }

    /// How many attempts are read at a time, and the default limit of a table.
    private static let (page, rows) = (200, 50)

    package func validate() throws {
        try require(!csv || !common.json, "give --csv or --json, not both")
        try require(
            export == nil || deleteBefore == nil,
            "--export and --delete-before cannot be combined: export first, then delete")
        try require(report.isEmpty || filter.run != nil, "--report requires --run, for example --run latest")
        try require(
            report.isEmpty || export == nil && deleteBefore == nil && !csv,
            "--report cannot be combined with --export, --delete-before or --csv")
        try require(!yes || deleteBefore != nil, "--yes requires --delete-before")
    }

    package func perform(_ console: Console) async throws -> ExitStatus {
        let path = try source.path()
        if let export { return try await write(path, to: export, console) }
        if let deleteBefore { return try await delete(from: path, before: deleteBefore.begin, console) }
        let reports = try ReportFiles(report)
        guard report.isEmpty else { return try await write(reports, from: path, console) }
        var query = try filter.query()
        let journal = try await Journal.reading(path)
        if query.run == Self.latest { query.run = try await Self.run(Self.latest, in: journal) }
        let form: HistoryOutput.Form = csv ? .spreadsheet : common.json ? .json : .table
        var output = HistoryOutput(form, on: console)
        let most = limit.map { Int($0.value) } ?? (form == .table ? Self.rows : Int(UInt32.max))
        var (count, last, isMore) = (0, nil as Int64?, false)
        while !isMore {
            try Task.checkCancellation()
            // One extra row shows whether there are more.
            let wanted = min(Self.page, most - count)
            let rows = try await journal.history(query, before: last, limit: wanted + 1)
            for row in rows.prefix(wanted) { output.print(row) }
            count += min(rows.count, wanted)
            last = rows.prefix(wanted).last?.number
            isMore = rows.count > wanted
            guard isMore, count < most else { break }
            isMore = false
        }
        output.end()
        console.event(
            JSONLine("history").adding([
                "attempts": .integer(count), "more": .bool(isMore), "journal": .text(journal.path),
            ]))
        let words = Quantities.count(count, "attempt")
        if !common.json { console.notice(isMore ? "the latest \(words); --limit shows more" : "\(words)") }
        return count == 0 ? .nothingToDo : .done
    }

    private func write(_ path: String, to target: String, _ console: Console) async throws -> ExitStatus {
        try require(
            access(target.systemPath, F_OK) != 0, .command.fileExists, during: "writing the file",
            message: "\(target) already exists",
            nextStep: "choose another name, or move the file away")
        let journal = try await Journal.reading(path)
        do throws(JournalError) { try await journal.export(to: target) } catch {
            throw error.path == target ? CommandFailure(copying: error) : CommandFailure(error)
        }
        console.event(JSONLine("exported", ["file": .text(target), "journal": .text(journal.path)]))
        if !common.json { console.notice("copied the whole journal to \(target)") }
        return .done
    }

    private func delete(
        from path: String, before moment: RecordedTime, _ console: Console
    ) async throws -> ExitStatus {
        let old = try await Journal.reading(path).runs(before: moment)
        let kept = old.undelivered + old.unfinished
        if yes, old.all > kept {
            // Opening the journal for writing fails while a run is active.
            let journal = try await Journal.open(
                at: path, owner: JournalOwner(tray: "history --delete-before"))
            _ = try await journal.deleteRuns(before: moment)
        }
        let count = old.all - kept
        console.event(
            JSONLine("deleted").adding([
                "runs": .integer(count), "kept": .integer(kept), "is_done": .bool(yes && count > 0),
            ]))
        guard !common.json else { return yes && count > 0 ? .done : .nothingToDo }
        let runs = "\(Quantities.count(count, "run")) that began before \(moment.toSeconds)"
        if count == 0 {
            console.notice("there is no run to delete from before \(moment.toSeconds)")
        } else {
            console.notice(yes ? "deleted \(runs)" : "\(runs) would be deleted; --yes deletes them")
        }
        let reasons = [
            (old.undelivered, "some results are not delivered (`history outbox`)"),
            (old.unfinished, "a single update of the last day without an end may still be running"),
        ]
        for (number, reason) in reasons where number > 0 {
            console.notice("\(number) older \(number == 1 ? "run is" : "runs are") kept: \(reason)")
        }
        return yes && count > 0 ? .done : .nothingToDo
    }

    package init() {}

    /// The value of `--run` for the run that began last.
    static let latest = "latest"

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
        let runs = try await text == latest ? journal.runs(limit: 1) : journal.runs(beginning: text)
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

extension UnitOutcome: ExpressibleByArgument {}

extension CommandFailure {
    /// The failure to write a copy of a journal; `error` names the copy.
    fileprivate init(copying error: JournalError) {
        let (file, cause): (String, String) =
            switch error.problem {
            case .missing: (error.path, "its folder does not exist")
            case .inaccessible(let what), .failed(let what): (error.path, what)
            case .sideFileForeign(let draft, let what):
                (draft, "it \(what), but the copy needs that file name")
            case .diskFull: (error.path, "there is no disk space left for it")
            default: (error.path, "\(error)")
            }
        self.init(
            .command.fileNotWritable, during: "writing the copy", message: "\(file): \(cause)",
            nextStep:
                "name another file, or check the folder, its permissions, and the free space on the disk")
    }
}
