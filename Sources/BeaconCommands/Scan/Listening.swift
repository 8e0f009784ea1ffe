import BluetoothTypes
import Radio
import Timing

/// Collects what is heard, address by address.
struct Listening: Sendable {
    private(set) var sightings: [DeviceAddress: Sighting] = [:]

    /// Adds a report; whether it is the first of its sender.
    mutating func add(_ report: Advertisement) -> Bool {
        if sightings[report.address] != nil {
            sightings[report.address]?.add(report)
            return false
        }
        sightings[report.address] = Sighting(report)
        return true
    }

    /// Who was heard, the loudest first.
    var all: [Sighting] {
        sightings.values.sorted {
            ($0.rssi ?? .min, $1.address.description) > ($1.rssi ?? .min, $0.address.description)
        }
    }
}

extension Adapter {
    /// Listens for `limit`, or until `isEnough` says so.
    func listen(
        for limit: Duration, until isEnough: @escaping @Sendable (Advertisement) -> Bool
    ) async throws -> Listening {
        let collected = Collected()
        _ = try await time.within(limit) {
            for await report in try await advertisements() {
                await collected.add(report)
                if isEnough(report) { return }
            }
        }
        try Task.checkCancellation()
        return await collected.listening
    }
}

private actor Collected {
    var listening = Listening()
    func add(_ report: Advertisement) { _ = listening.add(report) }
}
