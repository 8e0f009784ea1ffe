import ArgumentParser
import BeaconCommands
import Bluetooth
import WorkServer

struct InitDB: RunningCommand {
    static let configuration = CommandConfiguration(
        commandName: "init-db",
        abstract: "Prepare a database as a work server, or upgrade one.",
        discussion: """
            Example: `beacon-dfu-station init-db --engine 'host=db.plant dbname=beacons user=admin'`.

            Creates the schema beacon_dfu and the roles beacon_dfu_station, _viewer, _approver and _admin, all of it or nothing; stations \
            may be at work meanwhile. The login needs CREATE on the database; the database superuser creates the roles beforehand \
            (docs/stations.md).
            """)

    @OptionGroup(title: "Work server") var source: AdminOptions
    @OptionGroup var common: CommonOptions

    func perform(_ console: Console) async throws -> ExitStatus {
        let loop = try EventLoop.shared.get()
        let outcome = try await WorkServerInstallation(
            in: try source.settings(), on: loop, time: loop.keeper
        ).apply()
        console.event(
            JSONLine(
                "engine-prepared", ["before": .integer(outcome.before), "schema": .integer(outcome.after)]))
        let isNews = outcome.before != outcome.after
        guard !common.json else { return isNews ? .done : .nothingToDo }
        guard isNews else {
            console.result("the work server already has schema \(outcome.after)")
            return .nothingToDo
        }
        console.result(
            outcome.before == 0
                ? "the database is now a work server with schema \(outcome.after)"
                : "upgraded the work server's schema from \(outcome.before) to \(outcome.after)")
        console.talk(
            "next: as the database superuser, create logins: CREATE ROLE bench3 LOGIN IN ROLE beacon_dfu_station; then on the bench: beacon-dfu-station join bench3"
        )
        return .done
    }
}
