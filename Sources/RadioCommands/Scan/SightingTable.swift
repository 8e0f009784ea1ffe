import Bluetooth
import CommandKit
import Firmware
import UpdateModel

package struct ScanLayout: Sendable {
    var filters: [SightingFilter] = []
    var order = SightingOrder.rssi
    var columns = ScanColumn.standard
    /// Whether a table gets the column `phy` once a beacon was heard in extended packets.
    var addsPHY = false
    /// Whether rows are cut to the terminal's width.
    var isCut = true
    var isCSV = false
    var hasSensors = false
    /// The source of the column `update`.
    var updates: UpdateLookup?
    var options = RepeatedOptions()

    var table: SightingTable { SightingTable(columns, updates: updates, addsPHY: addsPHY) }

    func passes(_ beacon: BeaconSighting) -> Bool { filters.allSatisfy { $0.passes(beacon) } }
}

/// Beacons as rows of a table. `--json` has more values.
struct SightingTable: Sendable {
    let columns: [ScanColumn]
    /// The source of the column `update`.
    let updates: UpdateLookup?
    let addsPHY: Bool

    init(
        _ columns: [ScanColumn] = ScanColumn.standard, updates: UpdateLookup? = nil, addsPHY: Bool = false
    ) { (self.columns, self.updates, self.addsPHY) = (columns, updates, addsPHY) }

    /// The heading and a row for each beacon. With `moment`, a column shows how long ago each was heard.
    func lines(
        _ sightings: [BeaconSighting], width: Int?, heardUntil moment: Duration? = nil
    ) -> [TerminalText] {
        let isExtended = addsPHY && sightings.contains { $0.packets?.isExtended == true }
        let columns = isExtended ? columns + [.phy] : columns
        let ago = Table.Column(heading: "AGO", width: 7, rank: 6)
        let table = Table(columns: columns.map(\.layout) + (moment == nil ? [] : [ago]))
        return table.lines(
            sightings.map { sighting in
                columns.map { cell($0, of: sighting) }
                    + (moment.map {
                        [TerminalText(Quantities.seconds(($0 - sighting.lastSeen) / .seconds(1)))]
                    } ?? [])
            }, width: width)
    }

    /// `?` if the value may be in a frame that was not heard yet, or is a kind that only a connection shows; `-` if the
    /// beacon does not advertise it.
    private func cell(_ column: ScanColumn, of sighting: BeaconSighting) -> TerminalText {
        if column == .kind, sighting.hidesItsKind { return "?" }
        if let text = column.text(of: sighting, by: updates) { return TerminalText(text) }
        let part = AdvertisedPart(rawValue: column.rawValue)
        return part.map(sighting.missing.contains) ?? false ? "?" : "-"
    }
}
