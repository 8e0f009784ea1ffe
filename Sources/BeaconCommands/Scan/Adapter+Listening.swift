import BeaconIdentity
import BluetoothTypes
import Radio
import Synchronization
import Timing

extension BeaconSightings {
    /// The loudest first.
    var byStrength: [BeaconSighting] { SightingOrder.rssi.sorted(all) }
}

extension Adapter {
    /// Listens for as long as `time` says.
    func listen(for time: ListeningTime) async throws -> BeaconSightings {
        guard time == .auto else { return try await listen(for: .seconds(time.seconds ?? 3)) { _ in false } }
        let completeness = Mutex(Completeness(since: self.time.now))
        return try await listen(for: ListeningTime.longest) { sighting in
            completeness.withLock { $0.isReached(by: sighting, at: sighting.lastSeen) }
        }
    }

    /// Goes on after `heard`, for `limit` at most, until the names have come of those that are `wanted` and may have one; and
    /// says whether it did. Where many beacons are, a scanner's requests for scan responses collide: a new discovery makes
    /// others.
    func listenForNames(
        for limit: Duration, after heard: BeaconSightings, wanted: (BeaconSighting) -> Bool
    ) async throws -> (BeaconSightings, isLonger: Bool) {
        let open = Mutex(Set(heard.all.filter { $0.mayHaveName && wanted($0) }.map(\.address)))
        guard !open.withLock(\.isEmpty) else { return (heard, false) }
        let all = try await listen(for: limit, after: heard) { sighting in
            open.withLock {
                if !sighting.mayHaveName { $0.remove(sighting.address) }
                return $0.isEmpty
            }
        }
        return (all, true)
    }

    /// Listens for `limit`, or until `isEnough` says so. With `isSearch` it goes on for as long as another program's
    /// scan has kept the adapter deaf; without `afresh`, beacons that were reported already need not be reported again. What
    /// was heard `earlier` counts.
    /// `status` shows the progress.
    func listen(
        for limit: Duration, after earlier: BeaconSightings? = nil, isSearch: Bool = false,
        afresh: Bool = true,
        telling status: SearchStatus? = nil, until isEnough: @escaping @Sendable (BeaconSighting) -> Bool
    ) async throws -> BeaconSightings {
        let collected = Collected(earlier ?? BeaconSightings(isComplete: passesEveryReport))
        let end = time.now + limit
        let before = unheardTime
        async let _ = status?.speak(
            of: { await collected.listening },
            until: { isSearch ? end + grantedTime(since: before) : end }, time: time)
        let listening: @Sendable () async throws -> Void = {
            for await report in try await afresh ? advertisements() : furtherAdvertisements() {
                if isEnough(await collected.add(report, at: time.now)) { return }
            }
            guard Task.isCancelled else { throw AdapterError.unavailable("the adapter is gone") }
        }
        _ =
            isSearch
            ? try await hearing(within: limit, listening) : try await time.within(limit, listening)
        try Task.checkCancellation()
        return await collected.listening
    }
}

private actor Collected {
    var listening: BeaconSightings
    init(_ listening: BeaconSightings) { self.listening = listening }
    func add(_ report: Advertisement, at moment: Duration) -> BeaconSighting {
        listening.add(report, at: moment)
    }
}
