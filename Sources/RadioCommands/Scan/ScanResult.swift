import Bluetooth
import Bytes
import CommandKit
import Firmware
import Glibc
import UpdateModel

/// The beacons of a scan that pass the filters, in the requested order.
struct ScanResult: Sendable {
    let beacons: [BeaconSighting]
    private let heard: Int
    private let seconds: Double
    private let wall: WallTime
    private var layout: ScanLayout

    /// The result with the order and the filter of `keys`, if it follows a table with keys.
    init(
        heard: BeaconSightings, seconds: Double, wall: WallTime, layout: ScanLayout, keys: WatchKeys? = nil
    ) {
        let shown = heard.all.filter { layout.passes($0) && keys?.passes($0) != false }
        beacons = (keys?.order ?? layout.order).sorted(shown)
        (self.heard, self.seconds, self.wall, self.layout) = (heard.count, seconds, wall, layout)
    }

    /// Connects, one after the other, to beacons that identify themselves only over a connection.
    mutating func connect(with adapter: some Adapter, telling console: Console) async throws {
        try await layout.updates?.read(beacons, with: adapter, telling: console)
    }

    func print(on console: Console) {
        for sighting in beacons { console.event(JSONLine("beacon", sighting.members(wall, layout))) }
        if layout.isCSV {
            printSpreadsheet(on: console)
        } else if !console.style.isJSON, !beacons.isEmpty {
            let isTerminal = layout.isCut && isatty(STDOUT_FILENO) == 1
            let width = isTerminal ? TerminalSize.of(STDOUT_FILENO).columns : nil
            layout.table.lines(beacons, width: width).forEach(console.result)
        }
        printSummary(on: console)
    }

    private func printSpreadsheet(on console: Console) {
        console.result(TerminalText(SpreadsheetText(layout.columns.map(\.rawValue)).line))
        for beacon in beacons {
            let cells = layout.columns.map { $0.text(of: beacon, by: layout.updates) }
            console.result(TerminalText(SpreadsheetText(cells).line))
        }
    }

    func printSummary(on console: Console) {
        console.event(
            JSONLine("scanned").adding([
                "beacons": .integer(beacons.count), "heard": .integer(heard),
                "incomplete": .integer(incomplete), "seconds": .rounded(seconds),
            ]))
        guard !console.style.isJSON else { return }
        let count = beacons.count == heard ? "\(heard)" : "\(beacons.count) of \(heard)"
        console.notice("\(count) beacon\(heard == 1 ? "" : "s") in \(Quantities.seconds(seconds))")
        if let hint { console.notice(hint) }
        guard incomplete > 0 else { return }
        let missing = AdvertisedPart.allCases.compactMap { part in
            let count = beacons.count { $0.missing.contains(part) }
            return count > 0 ? "no \(part.rawValue) of \(count)" : nil
        }.joined(separator: ", ")
        console.notice(
            "\(incomplete) incomplete, some frames were not heard (?): \(missing); --for auto waits for them")
    }

    /// How to find out the kind of beacons that do not advertise it; nil if all do.
    var hint: TerminalText? {
        let open = beacons.filter(\.hidesItsKind)
        guard let loudest = SightingOrder.rssi.sorted(open).first else { return nil }
        let address = ScanColumn.address.text(of: loudest) ?? ""
        let command = layout.options.added(to: "`beacon-dfu info --device \(address)`")
        return """
            \(open.count) of a kind that is not advertised (?): a connection shows what it offers, \
            \(open.count == 1 ? "" : "for example ")\(command)
            """
    }

    /// The number of beacons that may advertise more than was heard.
    private var incomplete: Int { beacons.count { !$0.isComplete } }
}
