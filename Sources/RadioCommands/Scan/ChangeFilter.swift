import Bluetooth
import CommandKit
import Firmware
import UpdateModel

/// Decides which changes of a beacon `scan --watch` prints: it appeared, its data changed, or its signal became stronger
/// or weaker; at most one line a second for each beacon.
struct ChangeFilter: Sendable {
    static let shortestPause = Duration.seconds(1)
    /// The least change of the signal, in dB. That of a beacon that does not move varies by a few dB between reports.
    static let strengthChange = 6

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
            let identity = sighting.identity
            (isConnectable, name, mode) = (sighting.isConnectable, sighting.data.name, sighting.mode)
            (version, percent, numbers) = (identity.version, identity.charge.percent, Set(identity.numbers))
            elements = identity.frames.isEmpty ? Set(sighting.data.elements) : []
        }
    }

    /// The state of each beacon in its last line, and when that was printed.
    private var reported: [DeviceAddress: (moment: Duration, sighting: BeaconSighting)] = [:]

    /// Whether `sighting` gets a line at `moment`; if so, its current state counts as reported.
    mutating func isPrinted(_ sighting: BeaconSighting, at moment: Duration) -> Bool {
        if let before = reported[sighting.address] {
            guard moment - before.moment >= Self.shortestPause else { return false }
            guard Self.differ(before.sighting, sighting) else { return false }
        } else if reported.count >= SightingMemory.most {
            reported.removeAll()
        }
        reported[sighting.address] = (moment, sighting)
        return true
    }

    private static func differ(_ before: BeaconSighting, _ now: BeaconSighting) -> Bool {
        guard ShownState(before) == ShownState(now) else { return true }
        guard let old = before.rssi, let new = now.rssi else { return before.rssi != now.rssi }
        return abs(Int(old) - Int(new)) >= strengthChange
    }
}
