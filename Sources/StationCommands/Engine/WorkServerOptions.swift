import ArgumentParser
import BeaconCommands
import FoundationEssentials
import PacketSockets
import Postgres
import StationEngine
import WorkOrders

/// Which engine, and as which station.
struct WorkServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The engine's database, as libpq reads it: 'host=db.plant dbname=beacons user=bench3', or a URI. No password: that is in ~/.pgpass. Default: what BEACON_DFU_ENGINE or `join` says.",
            valueName: "connection"))
    var engine: String?

    /// How the engine is reached; `journal` is the station's, beside which `join` has written it down.
    func settings(beside journal: String) throws -> PostgresSettings {
        let variable = ProcessInfo.processInfo.environment["BEACON_DFU_ENGINE"].flatMap {
            $0.isEmpty ? nil : $0
        }
        guard let target = try engine ?? variable ?? StationFile(beside: journal)?.engine else {
            throw ValidationError(
                "name the engine with --engine or BEACON_DFU_ENGINE, as 'host=db.plant dbname=beacons'")
        }
        return PostgresSettings(target, applicationName: "beacon-dfu-station \(BeaconDFU.version)")
    }

    /// A session with it.
    func session(beside journal: String) throws -> WorkServerSession {
        let loop = try EventLoop.shared.get()
        return WorkServerSession(try settings(beside: journal), on: loop, time: loop.keeper)
    }
}

/// Which engine, for commands that need no journal but to find it.
struct AdminOptions: ParsableArguments {
    @OptionGroup var engine: WorkServerOptions
    @OptionGroup var journal: JournalOptions

    /// What `join` has written down beside the journal.
    func joined() throws -> StationFile? { try StationFile(beside: try journal.place) }

    /// How the engine is reached.
    func settings() throws -> PostgresSettings { try engine.settings(beside: try journal.place) }

    /// A session with it.
    func session() throws -> WorkServerSession { try engine.session(beside: try journal.place) }
}

/// Who decides, for the record.
struct PersonOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Who decides, for the record. Default: the user's name.", valueName: "name"))
    var by: String?

    var name: String {
        let environment = ProcessInfo.processInfo.environment
        return by ?? environment["USER"] ?? environment["LOGNAME"] ?? "unknown"
    }
}

/// A command that asks the engine once; its connection is closed however the command ends.
protocol AdminCommand: RunningCommand {
    /// Which engine.
    var source: AdminOptions { get }
    /// Does what the command is for.
    func perform(with admin: WorkServerAdmin, _ console: Console) async throws -> ExitStatus
}

extension AdminCommand {
    func perform(_ console: Console) async throws -> ExitStatus {
        let session = try source.session()
        return try await session.closing { try await perform(with: WorkServerAdmin(over: session), console) }
    }
}

extension WorkServerSession {
    /// What `body` gives; the connection is closed however it ends.
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
