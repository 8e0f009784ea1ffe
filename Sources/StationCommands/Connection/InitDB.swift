import ArgumentParser
import Bluetooth
import Bytes
import CommandKit
import UpdateModel
import WorkServer

struct InitDB: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "init-db", abstract: "Prepare a database as a work server, or upgrade one.",
        discussion: """
            Example: `beacon-dfu-station init-db --engine 'host=db.plant dbname=beacons user=admin'`.

            Creates the schema beacon_dfu and the roles beacon_dfu_station, _viewer, _approver and _admin, all of it or nothing; stations \
            may be at work meanwhile. The login needs CREATE on the database; the database superuser creates the roles beforehand \
            (docs/stations.md).
            """)

    @OptionGroup var server: ServerOptions

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
    @OptionGroup var server: ServerOptions

    func perform(with admin: WorkServerAdmin, _ console: Console) async throws -> ExitStatus {
        if let maxOffline { try await admin.setMaxOffline(maxOffline.length, by: person.name) }
        let length = try await admin.maxOffline()
        return console.done(
            "policy", ["max_offline_seconds": .rounded(length / .seconds(1))],
            "a station may work without the work server for \(LeaseTime(length: length))")
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
    @OptionGroup var server: ServerOptions

    func perform(with admin: WorkServerAdmin, _ console: Console) async throws -> ExitStatus {
        try await admin.readmit(station)
        return console.done(
            "readmitted", ["station": .text(station)],
            "station \(station) may join with another login or machine")
    }
}
