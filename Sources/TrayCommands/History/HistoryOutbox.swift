import ArgumentParser
import Bytes
import CommandKit
import Tray
import TrayJournal
import UpdateModel
import Work

struct HistoryOutbox: RunningCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox", abstract: "Show which results have not been delivered, and why.",
        discussion: """
            Example: `beacon-dfu history outbox --retry KEY`.

            Results are delivered to hooks in order, and retried until they are accepted. A result that a hook has refused is set \
            aside for a decision, and the next ones are delivered. Those for `@engine` go to the work server of \
            `beacon-dfu-station` and cannot be dropped.
            """)

    @OptionGroup var source: JournalChoice
    @Option("Deliver the result with this key now, even if it was refused.", valueName: "key")
    var retry: String?
    @Option("Never deliver the result with this key.", valueName: "key") var drop: String?
    @Option("Decide for this hook only. Default: for all hooks with the key.", valueName: "name")
    var hook: String?
    @Flag(help: "Also show accepted and dropped results.") var all = false
    @OptionGroup var plain: PlainOptions

    var common: CommonOptions { plain.common }

    private static let columns = [
        Table.Column(heading: "NUMBER"), Table.Column(heading: "STATE"), Table.Column(heading: "HOOK"),
        Table.Column(heading: "KEY", isElastic: true), Table.Column(heading: "TRIES", rank: 3),
        Table.Column(heading: "SINCE (UTC)", rank: 2), Table.Column(heading: "NOT BEFORE (UTC)", rank: 4),
        Table.Column(heading: "LAST ERROR", width: 12, isElastic: true, rank: 1),
    ]

    /// How many results are read at a time.
    private static let page = 200

    func validate() throws {
        try require(retry == nil || drop == nil, "give --retry or --drop, not both")
        try require(hook == nil || retry != nil || drop != nil, "--hook requires --retry or --drop")
    }

    func perform(_ console: Console) async throws -> ExitStatus {
        let path = try source.path()
        if let key = retry ?? drop { return try await decide(path, key, console) }
        let journal = try await Journal.reading(path)
        let states = Set(OutboxState.allCases).filter { all || $0.isOpen || $0 == .refused }
        var (rows, counts, last) = ([[TerminalText]](), [OutboxState: Int](), 0 as Int64)
        while true {
            try Task.checkCancellation()
            let found = try await journal.outbox(in: states, after: last, limit: Self.page)
            for row in found {
                counts[row.state, default: 0] += 1
                if common.json { console.json(row.line) } else { rows.append(row.cells) }
            }
            last = found.last?.sequence ?? last
            if found.count < Self.page { break }
        }
        if !rows.isEmpty { Table(columns: Self.columns).print(rows, on: console) }
        let waiting = counts[.waiting, default: 0] + counts[.sent, default: 0]
        let refused = counts[.refused, default: 0]
        console.event(JSONLine("outbox", ["waiting": .integer(waiting), "refused": .integer(refused)]))
        if !common.json { console.notice("\(waiting) waiting, \(refused) refused") }
        return counts.isEmpty ? .nothingToDo : .done
    }

    private func decide(_ path: String, _ key: String, _ console: Console) async throws -> ExitStatus {
        let journal = try await Journal.openWithoutLock(path)
        if retry == nil, hook ?? StationResults.kind == StationResults.kind,
            try await journal.kinds(ofOpen: key).contains(StationResults.kind)
        {
            throw CommandFailure(
                .journal.resultNotDroppable, during: "deciding on a result",
                message:
                    "the result with the key '\(key)' is for the work server, which counts results: it cannot be dropped"
            )
        }
        let count =
            retry == nil
            ? try await journal.drop(key, of: hook, at: .now)
            : try await journal.retry(key, of: hook, at: .now)
        try require(
            count > 0, .journal.outboxKeyUnknown, during: "deciding on a result",
            message: "the outbox has no undelivered result with the key '\(key)'")
        console.report(
            JSONLine("decided").adding([
                "key": .text(key), "decision": .text(retry == nil ? "drop" : "retry"),
                "results": .integer(count),
            ])
        ) {
            console.notice(
                retry == nil ? "'\(key)' will not be delivered" : "'\(key)' will be delivered by the next run"
            )
        }
        return .done
    }
}

extension OutboxRow {
    fileprivate var cells: [TerminalText] {
        [
            "\(sequence)", "\(state.rawValue)", "\(entry.kind)", "\(entry.key)", "\(tries)",
            "\(made.toSeconds)", state.isOpen ? "\(due.toSeconds)" : "-", "\(lastError ?? "-")",
        ]
    }

    fileprivate var line: JSONLine {
        JSONLine("result").adding([
            "number": .integer(Int(sequence)), "state": .text(state.rawValue), "hook": .text(entry.kind),
            "key": .text(entry.key), "tries": .integer(tries), "made": .text("\(made)"),
            "due": .text("\(due)"), "settled": .optional(settled.map { "\($0)" }), "run": .optional(run),
            "last_error": .optional(lastError), "body": .text(entry.body),
        ])
    }
}
