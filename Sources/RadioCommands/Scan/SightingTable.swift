import Bluetooth
import CommandKit
import Identity

/// Beacons as rows of a table. `--json` has more values.
struct SightingTable: Sendable {
    let columns: [ScanColumn]
    /// The source of the column `update`.
    let updates: UpdateLookup?

    init(_ columns: [ScanColumn] = ScanColumn.standard, updates: UpdateLookup? = nil) {
        (self.columns, self.updates) = (columns, updates)
    }

    /// The heading and a row for each beacon. With `moment`, a column shows how long ago each was heard.
    func lines(
        _ sightings: [BeaconSighting], width: Int?, heardUntil moment: Duration? = nil
    ) -> [TerminalText] {
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

    /// `?` if the value may be in a frame that was not heard yet, `-` if the beacon does not advertise it.
    private func cell(_ column: ScanColumn, of sighting: BeaconSighting) -> TerminalText {
        if let text = column.text(of: sighting, by: updates) { return TerminalText(text) }
        let part = AdvertisedIdentity.Part(rawValue: column.rawValue)
        return part.map(sighting.missing.contains) ?? false ? "?" : "-"
    }
}
