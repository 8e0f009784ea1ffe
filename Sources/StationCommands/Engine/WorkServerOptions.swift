import ArgumentParser
import BeaconCommands
import Bluetooth
import FoundationEssentials
import Work
import WorkServer

/// The options that select the work server.
struct WorkServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The work server's database as a libpq connection string, 'host=db.plant dbname=beacons user=bench3', or a URI. Keep the password in ~/.pgpass. Default: BEACON_DFU_ENGINE, or the database given to `join`.",
            valueName: "connection"))
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
        return PostgresSettings(target, applicationName: "beacon-dfu-station \(BeaconDFU.version)")
    }

    /// A session with it.
    func session(beside journal: String) throws -> WorkServerSession {
        let loop = try EventLoop.shared.get()
        return WorkServerSession(try settings(beside: journal), on: loop, time: loop.keeper)
    }
}

/// The work server, for commands that use the journal only to find it.
struct AdminOptions: ParsableArguments {
    @OptionGroup var engine: WorkServerOptions
    @OptionGroup var journal: JournalOptions

    /// The station file that `join` has written next to the journal.
    func joined() throws -> StationFile? { try StationFile(beside: try journal.place) }

    /// The connection settings.
    func settings() throws -> PostgresSettings { try engine.settings(beside: try journal.place) }

    /// A session with it.
    func session() throws -> WorkServerSession { try engine.session(beside: try journal.place) }
}

/// The person who decides, for the record.
struct PersonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The person who decides, for the record. Default: the user's name.", valueName: "name"))
    var by: String?

    var name: String {
        let environment = ProcessInfo.processInfo.environment
        return by ?? environment["USER"] ?? environment["LOGNAME"] ?? "unknown"
    }
}

/// A command that queries the work server; its connection is closed however the command ends.
protocol AdminCommand: RunningCommand {
    /// The work server.
    var source: AdminOptions { get }
    /// Performs the command.
    func perform(with admin: WorkServerAdmin, _ console: Console) async throws -> ExitStatus
}

extension AdminCommand {
    func perform(_ console: Console) async throws -> ExitStatus {
        let session = try source.session()
        return try await session.closing { try await perform(with: WorkServerAdmin(over: session), console) }
    }
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
