import BeaconIdentity
import BluetoothTypes
import FirmwareModel
import Radio

/// Which changes of a beacon are worth a line: it has appeared, it says something else, or it is louder or softer;
/// never more than one line a second.
struct Watch: Sendable {
    static let shortestPause = Duration.seconds(1)
    /// In dB. A beacon that lies still is heard some dB louder or softer from report to report.
    static let movement = 6

    private struct LastReport: Sendable {
        let moment: Duration
        let sighting: BeaconSighting
    }

    /// What is news when it changes. Of a beacon whose frames are known that is not their bytes: counters and sensors
    /// change with every frame, and frames take turns.
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

    /// Whether `sighting` gets a line at `moment`; then what it says now counts as reported.
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
