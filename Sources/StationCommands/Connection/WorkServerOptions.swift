import ArgumentParser
import Bluetooth
import Bytes
import CommandKit
import FoundationEssentials
import UpdateModel
import WorkServer

struct WorkServerOptions: ParsableArguments {
    @Option(
        "The work server's database as a libpq connection string, 'host=db.plant dbname=beacons user=bench3', or a URI. Keep the password in ~/.pgpass. Default: BEACON_DFU_ENGINE, or the database given to `join`.",
        valueName: "connection")
    var engine: String?

    /// The connection settings; `journal` is the station's journal, next to which `join` has stored them.
    func settings(beside journal: String) throws -> PostgresSettings {
        let variable = ProcessInfo.processInfo.environment["BEACON_DFU_ENGINE"].flatMap {
            $0.isEmpty ? nil : $0
        }
        guard let target = try engine ?? variable ?? StationFile(beside: journal)?.engine else {
            throw ValidationError(
                "name the work server with --engine or BEACON_DFU_ENGINE, for example 'host=db.plant dbname=beacons'"
            )
        }
        return PostgresSettings(target, applicationName: "beacon-dfu-station \(Program.version)")
    }

    func session(beside journal: String) throws -> WorkServerSession {
        let loop = try EventLoop.shared.get()
        return WorkServerSession(try settings(beside: journal), on: loop, time: loop.clock)
    }
}

/// The work server, for commands that use the journal only to find it.
struct AdminOptions: ParsableArguments {
    @OptionGroup var engine: WorkServerOptions
    @OptionGroup var journal: JournalOptions

    func joined() throws -> StationFile? { try StationFile(beside: try journal.path()) }

    func settings() throws -> PostgresSettings { try engine.settings(beside: try journal.path()) }

    func session() throws -> WorkServerSession { try engine.session(beside: try journal.path()) }
}

/// The option for the person who decides.
struct PersonOptions: ParsableArguments {
    @Option("The person who decides, for the record. Default: the user's name.", valueName: "name")
    var by: String?

    var name: String {
        let environment = ProcessInfo.processInfo.environment
        return by ?? environment["USER"] ?? environment["LOGNAME"] ?? "unknown"
    }
}

/// A command that queries the work server; its connection is closed however the command ends.
protocol AdminCommand: PlainCommand {
    var source: AdminOptions { get }
    func perform(with admin: WorkServerAdmin, _ console: Console) async throws -> ExitStatus
}

extension AdminCommand {
    func perform(_ console: Console) async throws -> ExitStatus {
        let session = try source.session()
        return try await session.closing { try await perform(with: WorkServerAdmin(over: session), console) }
    }
}

extension Console {
    /// Reports what a command has done: the event with `--json`, else `words` and, on stderr, `advice`.
    func done(
        _ event: String, _ members: [String: JSONValue], _ words: TerminalText,
        _ status: ExitStatus = .done, next advice: TerminalText? = nil
    ) -> ExitStatus {
        let line = JSONLine(event, members)
        guard !style.isJSON else {
            json(line)
            return status
        }
        result(words)
        if let advice { notice(advice) }
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

extension WorkServerSession {
    /// Runs `body` and closes the connection however it ends.
    func closing<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        do {
            let value = try await body()
            await close()
            return value
        } catch {
            await close()
            throw error
        }
    }
}

struct Readmit: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "readmit", abstract: "Rebind a station: let it join with another login or machine.",
        discussion: """
            Example: `beacon-dfu-station readmit line2-bench3`, if its disk was moved to another machine on purpose, or its login \
            was replaced. Its next `join` or `work` binds the name again. Needs the role admin.
            """)

    @Argument(help: "The station's name.") var station: String
    @OptionGroup(title: "Work server") var source: AdminOptions
    @OptionGroup var plain: PlainOptions

    func perform(with admin: WorkServerAdmin, _ console: Console) async throws -> ExitStatus {
        try await admin.readmit(station)
        return console.done(
            "readmitted", ["station": .text(station)],
            "station \(station) may join with another login or machine")
    }
}

struct Policy: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy", abstract: "Show or change the policy for all orders and stations.",
        discussion: """
            Examples: `beacon-dfu-station policy`; `beacon-dfu-station policy --max-offline 8h`. Changing it needs the role admin.

            A station has to reach the work server within --max-offline: no claim has a longer lease, so that a station that was \
            offline for longer has no claim left, and begins no unit.
            """)

    @Option(
        help: ArgumentHelp(
            "How long a station may work without the work server, from 90s to 24h. Initially 24h.",
            valueName: "time"), transform: LeaseTime.reading)
    var maxOffline: LeaseTime?
    @OptionGroup var person: PersonOptions
    @OptionGroup(title: "Work server") var source: AdminOptions
    @OptionGroup var plain: PlainOptions

    func perform(with admin: WorkServerAdmin, _ console: Console) async throws -> ExitStatus {
        if let maxOffline { try await admin.setMaxOffline(maxOffline.length, by: person.name) }
        let length = try await admin.maxOffline()
        return console.done(
            "policy", ["max_offline_seconds": .rounded(length / .seconds(1))],
            "a station may work without the work server for \(LeaseTime(length: length))")
    }
}

struct InitDB: PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "init-db", abstract: "Prepare a database as a work server, or upgrade one.",
        discussion: """
            Example: `beacon-dfu-station init-db --engine 'host=db.plant dbname=beacons user=admin'`.

            Creates the schema beacon_dfu and the roles beacon_dfu_station, _viewer, _approver and _admin, all of it or nothing; stations \
            may be at work meanwhile. The login needs CREATE on the database; the database superuser creates the roles beforehand \
            (docs/stations.md).
            """)

    @OptionGroup(title: "Work server") var source: AdminOptions
    @OptionGroup var plain: PlainOptions

    func perform(_ console: Console) async throws -> ExitStatus {
        let loop = try EventLoop.shared.get()
        let outcome = try await WorkServerInstallation(
            in: try source.settings(), on: loop, time: loop.clock
        ).apply()
        let members: [String: JSONValue] = [
            "before": .integer(outcome.before), "schema": .integer(outcome.after),
        ]
        guard outcome.before != outcome.after else {
            return console.done(
                "engine-prepared", members, "the work server already has schema \(outcome.after)",
                .nothingToDo)
        }
        return console.done(
            "engine-prepared", members,
            outcome.before == 0
                ? "the database is now a work server with schema \(outcome.after)"
                : "upgraded the work server's schema from \(outcome.before) to \(outcome.after)",
            next:
                "next: as the database superuser, create logins: CREATE ROLE bench3 LOGIN IN ROLE beacon_dfu_station; then on the bench: beacon-dfu-station join bench3"
        )
    }
}
