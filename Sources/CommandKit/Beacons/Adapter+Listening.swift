package import Bluetooth
package import Firmware
import Synchronization

extension Adapter {
    /// Listens for `limit`, or until `isEnough` is true for a beacon. The result includes what was heard `earlier`;
    /// `beacons` can be read meanwhile, and `status` shows the progress.
    ///
    /// With `isSearch`, the time in which another program's scan kept the adapter deaf extends the limit. Without
    /// `restarting`, beacons that were already reported need not be reported again.
    package func listen(
        for limit: Duration, after earlier: BeaconSightings? = nil, isSearch: Bool = false,
        restarting: Bool = true, collecting beacons: SightingCollector? = nil,
        showing status: SearchStatus? = nil, until isEnough: @escaping @Sendable (BeaconSighting) -> Bool
    ) async throws -> BeaconSightings {
        let collected =
            beacons ?? SightingCollector(earlier ?? BeaconSightings(isComplete: passesEveryReport))
        let end = time.now + limit
        let before = unheardTime
        async let _ = status?.showProgress(
            of: { collected.sightings },
            until: { isSearch ? end + limitExtension(since: before) : end }, time: time)
        let listening: @Sendable () async throws -> Void = {
            for await report in try await restarting ? advertisements() : furtherAdvertisements() {
                if isEnough(collected.add(report, at: time.now)) { return }
            }
            guard Task.isCancelled else { throw AdapterError.unavailable("the adapter is gone") }
        }
        _ = isSearch ? try await hearing(within: limit, listening) : try await time.within(limit, listening)
        try Task.checkCancellation()
        return collected.sightings
    }
}

/// Combines reports into sightings, which can be read while the adapter listens.
package final class SightingCollector: Sendable {
    private let state: Mutex<BeaconSightings>

    package init(_ sightings: BeaconSightings) { state = Mutex(sightings) }

    package var sightings: BeaconSightings { state.withLock { $0 } }

    func add(_ report: Advertisement, at moment: Duration) -> BeaconSighting {
        state.withLock { $0.add(report, at: moment) }
    }
}
