import BeaconIdentity
import BluetoothTypes
import FirmwareModel
import Radio
import Vendors

/// Beacons as rows for people. `--json` has more of each.
struct SightingTable: Sendable {
    private static let columns = [
        Table.Column(heading: "ADDRESS", width: 17),
        Table.Column(heading: "NAME", width: 10, isElastic: true),
        Table.Column(heading: "MODE", width: 4, rank: 3), Table.Column(heading: "TAKES", width: 6, rank: 4),
        Table.Column(heading: "VERSION", rank: 2), Table.Column(heading: "BATT", rank: 1),
        Table.Column(heading: "RSSI"), Table.Column(heading: "CONN", rank: 5),
    ]

    /// With `moment` a column says how long ago each was heard.
    static func lines(
        _ sightings: [BeaconSighting], width: Int?, heardUntil moment: Duration? = nil
    ) -> [TerminalText] {
        let ago = Table.Column(heading: "AGO", width: 7, rank: 6)
        let table = Table(columns: columns + (moment == nil ? [] : [ago]))
        return table.lines(
            sightings.map { sighting in
                cells(of: sighting)
                    + (moment.map {
                        [TerminalText(Quantities.seconds(($0 - sighting.lastSeen) / .seconds(1)))]
                    } ?? [])
            }, width: width)
    }

    private static func cells(of sighting: BeaconSighting) -> [TerminalText] {
        let address = sighting.address
        return [
            // As `--device` takes it.
            TerminalText(address.kind == .public ? "\(address)/public" : "\(address)"),
            TerminalText(sighting.data.name ?? "-"), sighting.mode == .bootloader ? "boot" : "app",
            TerminalText(sighting.update?.word ?? "-"), TerminalText(sighting.version ?? "-"),
            TerminalText(charge(sighting.charge)), TerminalText(sighting.rssi.map { "\($0)" } ?? "-"),
            sighting.isConnectable.map { $0 ? "yes" : "no" } ?? "-",
        ]
    }

    private static func charge(_ charge: BatteryCharge) -> String {
        if let percent = charge.percent { return "\(percent) %" }
        return charge.millivolts.map { "\(Quantities.decimal(Double($0) / 1000)) V" } ?? "-"
    }
}

extension BeaconSighting {
    /// Whose update service it advertises.
    var vendor: String? { KnownVendors.vendorName(advertisedBy: heard.data.services) }
}
