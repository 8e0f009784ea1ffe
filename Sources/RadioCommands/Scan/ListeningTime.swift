import ArgumentParser
import Bluetooth
import CommandKit
import Firmware
import Synchronization

extension Adapter {
    /// Listens for `time`; for `.auto`, until the beacons in range are complete (``Completeness``).
    func listen(for time: ListeningTime, telling console: Console? = nil) async throws -> BeaconSightings {
        let status = console.map { SearchStatus(console: $0, mayEndEarly: time == .auto) }
        guard time == .auto else {
            return try await listen(for: .seconds(time.seconds ?? 3), showing: status) { _ in false }
        }
        let completeness = Mutex(Completeness(since: self.time.now))
        return try await listen(for: ListeningTime.longest, showing: status) { sighting in
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
        let status = console.map { SearchStatus(console: $0, mayEndEarly: true) }
        let all = try await listen(for: limit, after: heard, showing: status) { sighting in
            open.withLock {
                if !sighting.mayHaveName { $0.remove(sighting.address) }
                return $0.isEmpty
            }
        }
        return (all, true)
    }
}

package enum ListeningTime: ExplainedArgument, Equatable, Sendable {
    case seconds(Double)
    /// Until every beacon in range has advertised what its kind advertises, at most `longest`.
    case auto

    /// Frames alternate every 2 s. If the rarest one is every tenth, it comes within 20 s; 10 s are a margin.
    static let longest = Duration.seconds(30)

    init?(argument: String) {
        if argument == "auto" {
            self = .auto
            return
        }
        guard let seconds = Double(argument), seconds > 0, seconds <= 3600 else { return nil }
        self = .seconds(seconds)
    }

    var seconds: Double? { if case .seconds(let seconds) = self { seconds } else { nil } }

    static func flaw(in text: String) -> String {
        "--for is a number of seconds, above 0 and at most 3600, or 'auto' for as long as needed, at most 30"
    }
}
