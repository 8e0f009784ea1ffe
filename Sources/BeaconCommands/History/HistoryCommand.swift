import ArgumentParser
import ByteCoding
import Glibc
import Tray
import TrayJournal

/// What was done to which beacon.
struct HistoryCommand: RunningCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Say what was installed on which beacon, when, from which file, with what result.",
        discussion: """
            Example: `beacon-dfu history --device F0:0D:BE:AC:04:00 --outcome failed`.

            Every attempt of every run over a tray is in the journal, and every single flash; the latest come first. What was done to \
            simulated beacons is in a journal of its own, which --simulated asks.
            """,
        subcommands: [HistoryOutbox.self])

    @OptionGroup var filter: HistoryFilter
    @OptionGroup var source: HistoryPlace
    @Option(
        help: ArgumentHelp(
            "At most so many attempts. Default: 50 in a table, all with --csv and --json.", valueName: "count"
        ),
        transform: WholeNumber<UInt32>.reading)
    var limit: WholeNumber<UInt32>?
    @Flag(help: "Print a spreadsheet: CSV with a line for each attempt.") var csv = false
    @Option(
        help: ArgumentHelp(
            "Write the whole journal, as it is now, to a new file, and print no attempts.", valueName: "path"),
        completion: .file())
    var export: String?
    @Option(
        help: ArgumentHelp(
            "Write the report of the run that --run names to this file as `batch --report` does, and print no attempts.",
            valueName: "path"), completion: .file())
    var report: [String] = []
    @Option(
        help: ArgumentHelp(
            "Delete the runs that began before then, with --yes; without it say how many there are.",
            valueName: "moment"),
        transform: HistoryMoment.reading)
    var deleteBefore: HistoryMoment?
    @Flag(help: "Delete what --delete-before is about.") var yes = false
    @OptionGroup var common: CommonOptions

    /// How many attempts are read at a time, and how many a table has.
    private static let (page, rows) = (200, 50)

    func validate() throws {
        guard !csv || !common.json else {
            throw ValidationError("--csv and --json are two forms; choose one")
        }
        guard export == nil || deleteBefore == nil else {
            throw ValidationError("--export and --delete-before are two steps: export first, then delete")
        }
        guard report.isEmpty || filter.run != nil else {
            throw ValidationError("--report is about one run: name it with --run, as --run latest")
        }
        guard report.isEmpty || export == nil && deleteBefore == nil && !csv else {
            throw ValidationError("--report is a step of its own")
        }
        guard !yes || deleteBefore != nil else { throw ValidationError("--yes is about --delete-before") }
    }

    func perform(_ console: Console) async throws -> ExitStatus {
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
            // One more than is wanted tells whether there are more.
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
            JSONLine(
                "history",
                ["attempts": .integer(count), "more": .bool(isMore), "journal": .text(journal.path)]))
        let words = "\(count) \(count == 1 ? "attempt" : "attempts")"
        if !common.json { console.talk(isMore ? "the latest \(words); --limit shows more" : "\(words)") }
        return count == 0 ? .nothingToDo : .done
    }

    private func write(_ path: String, to target: String, _ console: Console) async throws -> ExitStatus {
        guard access(target.systemPath, F_OK) != 0 else {
            throw CommandFailure(
                "file-exists", during: "writing the file", message: "\(target) exists already",
                nextStep: "choose another name, or move the file away")
        }
        let journal = try await Journal.reading(path)
        try await journal.export(to: target)
        console.event(JSONLine("exported", ["file": .text(target), "journal": .text(journal.path)]))
        if !common.json { console.talk("\(target) has the whole journal as it is now") }
        return .done
    }

    private func delete(
        from path: String, before moment: RecordedTime, _ console: Console
    ) async throws -> ExitStatus {
        let old = try await Journal.reading(path).runs(before: moment)
        let kept = old.undelivered + old.unfinished
        if yes, old.all > kept {
            // No run may be going on.
            let journal = try await Journal.open(
                at: path, owner: JournalOwner(tray: "history --delete-before"))
            _ = try await journal.deleteRuns(before: moment)
        }
        let count = old.all - kept
        console.event(
            JSONLine(
                "deleted",
                ["runs": .integer(count), "kept": .integer(kept), "is_done": .bool(yes && count > 0)]))
        guard !common.json else { return yes && count > 0 ? .done : .nothingToDo }
        let runs = "\(count) \(count == 1 ? "run" : "runs") that began before \(moment.toSeconds)"
        if count == 0 {
            console.talk("no run to delete began before \(moment.toSeconds)")
        } else {
            console.talk(yes ? "deleted \(runs)" : "\(runs) would be deleted; --yes deletes them")
        }
        let reasons = [
            (old.undelivered, "not everything was delivered (`history outbox`)"),
            (old.unfinished, "a single update of the last day that has no end may be going on"),
        ]
        for (number, reason) in reasons where number > 0 {
            console.talk("\(number) older \(number == 1 ? "one stays" : "ones stay"): \(reason)")
        }
        return yes && count > 0 ? .done : .nothingToDo
    }
}
