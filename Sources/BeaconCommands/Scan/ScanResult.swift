import BeaconIdentity
import Glibc
import Radio

/// What a scan has heard, in the order and with the filters that were asked for.
struct ScanResult: Sendable {
    let beacons: [BeaconSighting]
    private let heard: Int
    private let seconds: Double
    private let wall: WallTime

    init(
        heard: BeaconSightings, filters: [SightingFilter], order: SightingOrder, seconds: Double,
        wall: WallTime
    ) {
        beacons = order.sorted(
            heard.all.filter { one in filters.allSatisfy { $0.passes(one) } })
        self.heard = heard.count
        self.seconds = seconds
        self.wall = wall
    }

    func print(on console: Console) {
        for sighting in beacons { console.event(JSONLine("beacon", sighting.members(wall))) }
        if !console.style.isJSON, !beacons.isEmpty {
            let width = isatty(STDOUT_FILENO) == 1 ? TerminalSize.of(STDOUT_FILENO).columns : nil
            SightingTable.lines(beacons, width: width).forEach(console.result)
        }
        printSummary(on: console)
    }

    /// How many there were.
    func printSummary(on console: Console) {
        console.event(
            JSONLine(
                "scanned",
                [
                    "beacons": .integer(beacons.count), "heard": .integer(heard),
                    "seconds": .rounded(seconds),
                ]))
        guard !console.style.isJSON else { return }
        let count = beacons.count == heard ? "\(heard)" : "\(beacons.count) of \(heard)"
        console.talk("\(count) \(heard == 1 ? "beacon" : "beacons") in \(Quantities.seconds(seconds))")
    }
}
