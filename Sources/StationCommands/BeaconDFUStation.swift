package import ArgumentParser

/// The program for benches that share work orders.
package struct BeaconDFUStation: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "beacon-dfu-station",
        abstract: "Lets several benches work on one order: no beacon twice, none forgotten.",
        discussion: """
            Examples: `beacon-dfu-station init-db` prepares a database; `beacon-dfu-station join bench3` makes this bench a \
            station; `beacon-dfu-station work WO-17 --rule 'name=Lamp*'` works on an order; `beacon-dfu-station status` shows the \
            progress of orders and stations.

            The work server is a PostgreSQL database (15 or later). --engine names it as a libpq connection string: `host=db.plant \
            dbname=beacons user=bench3`; the default is BEACON_DFU_ENGINE, or the database given to `join`. docs/stations.md leads from \
            one bench to five.
            """,
        groupedSubcommands: [
            CommandGroup(
                name: "At the bench",
                subcommands: [Join.self, Work.self, View.self, Deliver.self, StationDoctor.self]),
            CommandGroup(
                name: "Orders",
                subcommands: [
                    Status.self, OrderCommand.self, Release.self, HoldOrder.self, RetryUnits.self,
                    Publish.self, Recall.self,
                ]),
            CommandGroup(
                name: "The work server", subcommands: [InitDB.self, Policy.self, Readmit.self, Metrics.self]),
        ])

    package init() {}
}
