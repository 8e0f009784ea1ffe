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
        guard let target = try engine ?? variable ?? StationFile(beside: journal)?.connection else {
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
    @OptionGroup var workServer: WorkServerOptions
    @OptionGroup var journal: JournalOptions

    func joined() throws -> StationFile? { try StationFile(beside: try journal.path()) }

    func settings() throws -> PostgresSettings { try workServer.settings(beside: try journal.path()) }

    func session() throws -> WorkServerSession { try workServer.session(beside: try journal.path()) }
}

/// The options of a command that writes no files and uses the journal only to find the work server.
struct ServerOptions: ParsableArguments {
    @OptionGroup(title: "Work server") var source: AdminOptions
    @OptionGroup var plain: PlainOptions
}

struct PersonOptions: ParsableArguments {
    @Option("The person who decides, for the record. Default: the user's name.", valueName: "name")
    var by: String?

    var name: String {
        let environment = ProcessInfo.processInfo.environment
        return by ?? environment["USER"] ?? environment["LOGNAME"] ?? "unknown"
    }
}
