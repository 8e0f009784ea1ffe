import ArgumentParser

/// Trays in simulated time: how near a schedule comes to the exact bound, and whether every unit is accounted for.
@main struct Main: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tray-bench", abstract: "Runs trays of simulated beacons in simulated time.")

    @Flag(help: "The schedule next to the exact bound of the model of a tray.") var model = false
    @Flag(help: "Whole updates over simulated adapters that connect as Linux does.") var engine = false
    @Option(help: "The number of runs of 500 units over three adapters, with seeded faults.") var faults = 0
    @Option(help: "How many units a run with faults has.") var units = 500
    @Option(help: "The seed of the first run with faults; the others' follow by ones.") var seed: UInt64 =
        6979

    func run() async throws {
        var flaws: [String] = []
        if model { flaws += ModelTable.print() }
        if engine { flaws += try await EngineTable.print() }
        if faults > 0 { flaws += try await FaultyTrays(units: units).print(runs: faults, from: seed) }
        flaws.prefix(20).forEach { print($0) }
        if !flaws.isEmpty { throw ExitCode.failure }
    }
}
