import Bluetooth
import CommandKit
import Identity
import RadioCommands
import Synchronization
import Tray

/// Listens for the units of a run.
struct UnitSurvey: Sendable {
    let limit: Duration
    let order: TrayOrder

    /// All beacons that the adapters hear; each adapter ends early when it has heard all those in `slots`.
    func heard(
        with radios: [NamedAdapter], lookingFor slots: [TraySlot] = [], telling console: Console
    ) async throws -> BeaconSightings {
        let devices = slots.compactMap(\.device)
        return try await withThrowingTaskGroup(of: BeaconSightings.self) { group in
            for (index, radio) in radios.enumerated() {
                let status = index > 0 ? nil : SearchStatus(console: console, goal: "the units of the tray")
                group.addTask { [limit] in
                    let missing = Mutex(devices)
                    return try await radio.adapter.listen(for: limit, isSearch: true, telling: status) {
                        beacon in
                        guard !devices.isEmpty, beacon.isHeardOut else { return false }
                        return missing.withLock { missing in
                            missing.removeAll { $0.matches(beacon) }
                            return missing.isEmpty
                        }
                    }
                }
            }
            var all = BeaconSightings()
            for try await heard in group { all.join(heard) }
            return all
        }
    }

    /// A slot for each matching beacon, numbered in their order.
    func slots(
        of heard: BeaconSightings, meaning means: (BeaconSighting) -> Bool, expecting expected: Int?
    ) throws -> [TraySlot] {
        let meant = heard.byStrength.filter(means)
        if let expected, meant.count > expected {
            throw CommandFailure(
                .tray.trayOverrun, during: "looking for the units",
                message: "\(meant.count) beacons match, \(expected) expected: "
                    + meant.map { "\($0.address)" }.joined(separator: ", "))
        }
        let ordered = order == .loudest ? meant : meant.sorted { "\($0.address)" < "\($1.address)" }
        return try ordered.enumerated().map { index, beacon in
            try TraySlot("\(index + 1)", device: .address(beacon.address))
        }
    }
}
