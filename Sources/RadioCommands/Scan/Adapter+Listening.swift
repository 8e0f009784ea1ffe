import ArgumentParser
import Bluetooth
import CommandKit
package import Identity
import Synchronization

extension BeaconSightings {
    /// All sightings, strongest signal first.
    package var byStrength: [BeaconSighting] { SightingOrder.rssi.sorted(all) }
}

extension Adapter {
    /// Listens for `time`; for `.auto`, until the beacons in range are complete (``Completeness``).
    func listen(for time: ListeningTime, telling console: Console? = nil) async throws -> BeaconSightings {
        let status = console.map { SearchStatus(ofScanOn: $0, mayEndEarly: time == .auto) }
        guard time == .auto else {
            return try await listen(for: .seconds(time.seconds ?? 3), telling: status) { _ in false }
        }
        let completeness = Mutex(Completeness(since: self.time.now))
        return try await listen(for: ListeningTime.longest, telling: status) { sighting in
            completeness.withLock { $0.isReached(by: sighting, at: sighting.lastSeen) }
        }
    }

    /// Continues after `heard`, for at most `limit`, until the names of all `wanted` beacons that may have one were
    /// heard. `isLonger`: whether it listened at all. With many beacons in range, scan requests collide: a new
    /// discovery sends new requests.
    func listenForNames(
        for limit: Duration, after heard: BeaconSightings, telling console: Console? = nil,
        wanted: (BeaconSighting) -> Bool
    ) async throws -> (BeaconSightings, isLonger: Bool) {
        let open = Mutex(Set(heard.all.filter { $0.mayHaveName && wanted($0) }.map(\.address)))
        guard !open.withLock(\.isEmpty) else { return (heard, false) }
        let status = console.map { SearchStatus(ofScanOn: $0, mayEndEarly: true) }
        let all = try await listen(for: limit, after: heard, telling: status) { sighting in
            open.withLock {
                if !sighting.mayHaveName { $0.remove(sighting.address) }
                return $0.isEmpty
            }
        }
        return (all, true)
    }

    /// Listens for `limit`, or until `isEnough`. With `isSearch` the limit is extended by the time in which another
    /// program's scan kept the adapter deaf. Without `afresh`, beacons that were already reported need not be reported
    /// again. Includes what was heard `earlier`. `beacons` can be read meanwhile. `status` shows the progress.
    package func listen(
        for limit: Duration, after earlier: BeaconSightings? = nil, isSearch: Bool = false,
        afresh: Bool = true, collecting beacons: HeardBeacons? = nil,
        telling status: SearchStatus? = nil, until isEnough: @escaping @Sendable (BeaconSighting) -> Bool
    ) async throws -> BeaconSightings {
        let collected =
            beacons ?? HeardBeacons(earlier ?? BeaconSightings(isComplete: passesEveryReport))
        let end = time.now + limit
        let before = unheardTime
        async let _ = status?.speak(
            of: { collected.sightings },
            until: { isSearch ? end + grantedTime(since: before) : end }, time: time)
        let listening: @Sendable () async throws -> Void = {
            for await report in try await afresh ? advertisements() : furtherAdvertisements() {
                if isEnough(collected.add(report, at: time.now)) { return }
            }
            guard Task.isCancelled else { throw AdapterError.unavailable("the adapter is gone") }
        }
        _ =
            isSearch
            ? try await hearing(within: limit, listening) : try await time.within(limit, listening)
        try Task.checkCancellation()
        return collected.sightings
    }
}

/// The beacons that an adapter has heard so far.
package final class HeardBeacons: Sendable {
    private let state: Mutex<BeaconSightings>

    package init(_ sightings: BeaconSightings) { state = Mutex(sightings) }

    package var sightings: BeaconSightings { state.withLock { $0 } }

    func add(_ report: Advertisement, at moment: Duration) -> BeaconSighting {
        state.withLock { $0.add(report, at: moment) }
    }
}

/// How long `scan` listens.
package enum ListeningTime: ExplainedArgument, Equatable, Sendable {
    case seconds(Double)
    /// Until every beacon in range has advertised what its kind advertises, at most `longest`.
    case auto

    /// Frames alternate every 2 s, and the rarest is every tenth (kbeacon.md, 2.7).
    static let longest = Duration.seconds(30)

    init?(argument: String) {
        if argument == "auto" {
            self = .auto
            return
        }
        guard let seconds = Double(argument), seconds > 0, seconds <= 3600 else { return nil }
        self = .seconds(seconds)
    }

    /// Nil for `.auto`.
    var seconds: Double? { if case .seconds(let seconds) = self { seconds } else { nil } }

    static func flaw(in text: String) -> String {
        "--for is a number of seconds, above 0 and at most 3600, or 'auto' for as long as needed, at most 30"
    }
}
