import Simulation
import Tray
import UpdateBench
import UpdateModel

/// Whole updates of beacons with bootloaders, over adapters that connect as Linux does, next to the bound of the model
/// with the times of a single unit.
enum EngineTable {
    /// Prints the table; returns the problems.
    static func print() async throws -> [String] {
        var flaws: [String] = []
        for (connecting, advert) in [
            (SimulatedController.Connecting.kernel, 100), (.kernel, 1000), (.acceptList, 1000),
        ] {
            let alone = try await run(units: 1, adapters: 1, links: 1, connecting, advert, &flaws)
            Swift.print(
                "adverts every \(advert) ms, \(connecting.rawValue), two connects: alone \(ModelTable.tenths(alone.seconds)) s"
            )
            for (units, adapters) in [(8, 1), (48, 1), (48, 2), (48, 4)] {
                var line = ModelTable.pad("\(units)", 6) + ModelTable.pad("\(adapters)", 10)
                for links in [1, 4, 8, 16] {
                    let result = try await run(
                        units: units, adapters: adapters, links: links, connecting, advert, &flaws)
                    let speed = alone.seconds * Double(units) / result.seconds
                    line += ModelTable.pad(
                        "\(ModelTable.tenths(result.seconds)) s \(ModelTable.tenths(speed))x \(result.factor)",
                        26)
                }
                Swift.print(line)
            }
        }
        return flaws
    }

    private static func run(
        units: Int, adapters: Int, links: Int, _ connecting: SimulatedController.Connecting, _ advert: Int,
        _ flaws: inout [String]
    ) async throws -> (seconds: Double, factor: String) {
        var bench = TrayBench(numbers: (0..<units).map { 2 * $0 }, links: links)
        bench.firmware = { _ in TestFirmware(count: 40_000) }
        bench.timing = .stock
        bench.controllers = (0..<adapters).map {
            SimulatedController(name: "sim\($0)", connecting: connecting, links: 20)
        }
        bench.change = { _, unit in
            unit.advertisingInterval = .milliseconds(advert)
            unit.bootloaderAdvertisingInterval = .milliseconds(advert)
        }
        let result = try await bench.run()
        for record in result.records where record.verdict?.outcome != .passed {
            flaws.append(
                "\(units) units, \(links) links, \(adapters) adapters, \(connecting.rawValue), every \(advert) ms: "
                    + "\(record.slot): \(record.verdict?.code ?? "no verdict"): \(record.verdict?.message ?? "")"
            )
        }
        return (result.took / .seconds(1), result.ending.limitedBy ?? "-")
    }
}
