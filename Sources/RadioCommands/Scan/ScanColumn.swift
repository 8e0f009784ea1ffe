import ArgumentParser
import Bluetooth
import Bytes
import CommandKit
import Firmware
import Tray
import UpdateModel

enum ScanColumn: String, CaseIterable, Sendable {
    case address
    case name
    case kind
    case vendor
    case model
    case id
    case mode
    case takes
    case version
    case hardware
    case battery
    case rssi
    case connectable
    case identity
    case url
    case tlm
    case distance
    case missing
    /// The packets with which the beacon advertises; by default only if a listed beacon uses extended ones.
    case phy
    case sensors
    /// The update that the catalogue has for the beacon.
    case update

    /// The default columns, which fit 80 cells.
    static let standard: [ScanColumn] = [.address, .name, .kind, .mode, .version, .battery, .rssi]

    /// Width and rank in a table: names are shortened first, then the least important columns are left out.
    var layout: Table.Column {
        switch self {
        case .address: Table.Column(heading: "ADDRESS", width: 17)
        case .name: Table.Column(heading: "NAME", width: 10, isElastic: true)
        case .kind: Table.Column(heading: "KIND", rank: 4)
        case .mode: Table.Column(heading: "MODE", width: 4, rank: 3)
        case .version: Table.Column(heading: "VERSION", rank: 2)
        case .battery: Table.Column(heading: "BATT", rank: 1)
        case .rssi: Table.Column(heading: "RSSI")
        case .phy: Table.Column(heading: "PHY", rank: 2)
        case .update: Table.Column(heading: "UPDATE", width: 10, isElastic: true)
        default: Table.Column(heading: rawValue.uppercased(), rank: 5)
        }
    }

    /// The cell for a beacon; nil if the value is unknown. Advertised values take precedence over values read over a
    /// connection.
    func text(of sighting: BeaconSighting, by updates: CatalogueLookup? = nil) -> String? {
        let identity = sighting.identity
        let reading = updates?.reading(of: sighting)
        switch self {
        // In the format of `--device`.
        case .address:
            return sighting.address.kind == .public ? "\(sighting.address)/public" : "\(sighting.address)"
        case .name: return sighting.data.name ?? reading?.name
        case .kind: return sighting.kind
        case .vendor: return sighting.vendor
        case .model: return sighting.model ?? reading?.model
        case .id: return identity.id
        case .mode: return sighting.mode == .bootloader ? "boot" : "app"
        case .takes: return sighting.update?.word
        case .version: return identity.version ?? updates?.version(of: sighting)
        case .hardware: return identity.hardwareVersion ?? reading?.hardware
        case .battery:
            if identity.charge.isExternal { return "ext" }
            return (identity.charge.percent ?? reading?.battery).map { "\($0) %" }
                ?? identity.charge.millivolts.map { "\(Quantities.decimal(Double($0) / 1000)) V" }
        case .rssi: return sighting.rssi.map { "\($0)" }
        case .connectable: return sighting.isConnectable.map { $0 ? "yes" : "no" }
        case .identity:
            return identity.numbers.last?.description
                ?? identity.majorAndMinor.map { "major \($0.major), minor \($0.minor)" }
        case .url: return identity.url
        case .tlm: return identity.telemetryVersion.map { $0 == 0 ? "0" : "\($0), encrypted" }
        case .distance:
            guard let rssi = sighting.rssi, let estimate = identity.distance(rssi: rssi) else { return nil }
            return "\(Quantities.decimal(estimate.metres)) m"
        case .missing:
            return sighting.isComplete ? nil : sighting.missing.map(\.rawValue).joined(separator: " ")
        case .phy: return sighting.packets?.description
        case .update:
            // Cut at the colon, after which the vendor's own way to update the beacon is a sentence.
            let words = updates.map { "\($0.match(sighting).outcome)" }
            return words.map { String($0.prefix { $0 != ":" }) }
        case .sensors:
            let values = identity.sensors.map(\.text)
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
    }
}

/// The columns of `--columns`, in the order in which they were named.
package struct ScanColumns: ExplainedArgument, Sendable {
    let columns: [ScanColumn]

    init?(argument: String) {
        let words = argument.split(separator: ",", omittingEmptySubsequences: false)
        columns = words.compactMap { ScanColumn(rawValue: $0.lowercased()) }
        guard columns.count == words.count, Set(columns).count == words.count else { return nil }
    }

    static func flaw(in text: String) -> String {
        let names = ScanColumn.allCases.map(\.rawValue)
        var seen: Set<String> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false).map({ $0.lowercased() }) {
            guard names.contains(word) else {
                return "there is no column '\(word)'"
                    + Spelling.hint(
                        for: word, in: names, otherwise: "; columns are " + names.joined(separator: ", "))
            }
            guard seen.insert(word).inserted else { return "'\(word)' is repeated" }
        }
        return "columns are " + names.joined(separator: ", ")
    }
}

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
    var updates: CatalogueLookup?
    var options = RepeatedOptions()

    var table: SightingTable { SightingTable(columns, updates: updates, addsPHY: addsPHY) }

    func passes(_ beacon: BeaconSighting) -> Bool { filters.allSatisfy { $0.passes(beacon) } }
}

/// Beacons as rows of a table. `--json` has more values.
struct SightingTable: Sendable {
    let columns: [ScanColumn]
    let updates: CatalogueLookup?
    let addsPHY: Bool

    init(
        _ columns: [ScanColumn] = ScanColumn.standard, updates: CatalogueLookup? = nil, addsPHY: Bool = false
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
