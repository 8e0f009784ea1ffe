import Bluetooth
import Identity
import UpdateModel

/// Decides which changes of a beacon get a line: it appeared, its data changed, or its signal became stronger or
/// weaker; at most one line a second for each beacon.
struct Watch: Sendable {
    static let shortestPause = Duration.seconds(1)
    /// In dB. The signal of a beacon that does not move varies by a few dB between reports.
    static let movement = 6

    private struct LastReport: Sendable {
        let moment: Duration
        let sighting: BeaconSighting
    }

    /// The properties whose change gets a line. For beacons with known frames this excludes the raw bytes: counters and
    /// sensors change with every frame, and frames alternate.
    private struct ShownState: Equatable {
        let isConnectable: Bool?
        let name: String?
        let mode: RunningProgram
        let version: String?
        let percent: Int?
        let numbers: Set<ProximityIdentity>
        let elements: Set<AdvertisingData.Element>

        init(_ sighting: BeaconSighting) {
            isConnectable = sighting.isConnectable
            name = sighting.data.name
            mode = sighting.mode
            version = sighting.identity.version
            percent = sighting.identity.charge.percent
            numbers = Set(sighting.identity.numbers)
            elements = sighting.identity.frames.isEmpty ? Set(sighting.data.elements) : []
        }
    }

    private var told: [DeviceAddress: LastReport] = [:]

    /// Whether `sighting` gets a line at `moment`; if so, its current state counts as reported.
    mutating func isNews(_ sighting: BeaconSighting, at moment: Duration) -> Bool {
        if let before = told[sighting.address] {
            guard moment - before.moment >= Self.shortestPause else { return false }
            guard Self.differ(before.sighting, sighting) else { return false }
        } else if told.count >= SightingMemory.most {
            told.removeAll()
        }
        told[sighting.address] = LastReport(moment: moment, sighting: sighting)
        return true
    }

    private static func differ(_ before: BeaconSighting, _ now: BeaconSighting) -> Bool {
        guard ShownState(before) == ShownState(now) else { return true }
        guard let old = before.rssi, let new = now.rssi else { return before.rssi != now.rssi }
        return abs(Int(old) - Int(new)) >= movement
    }
}
