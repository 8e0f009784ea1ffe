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

    /// Listens on after `heard`, for at most `limit`, until the names of all `wanted` beacons that may have one were heard.
    /// `hasListened` is false if none was missing. With many beacons in range, scan requests collide: a new discovery
    /// sends new requests.
    func listenForNames(
        for limit: Duration, after heard: BeaconSightings, telling console: Console? = nil,
        wanted: (BeaconSighting) -> Bool
    ) async throws -> (BeaconSightings, hasListened: Bool) {
        let unnamed = Mutex(Set(heard.all.filter { $0.mayHaveName && wanted($0) }.map(\.address)))
        guard !unnamed.withLock(\.isEmpty) else { return (heard, false) }
        let status = console.map { SearchStatus(console: $0, mayEndEarly: true) }
        let all = try await listen(for: limit, after: heard, showing: status) { sighting in
            unnamed.withLock {
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

/// Decides when every beacon in range has advertised what its kind advertises.
struct Completeness: Sendable {
    /// The required time without a new beacon: one second more than most beacons' advertising interval.
    static let quiet = Duration.seconds(2)
    /// The shortest listening time, so that slow advertisers are heard at all.
    static let shortest = Duration.seconds(3)

    private let begin: Duration
    private var known: Set<DeviceAddress> = []
    private var incomplete: Set<DeviceAddress> = []
    /// When the wait for missing parts of each beacon ends; a beacon that is heard after that is no longer waited for.
    private var timeout: [DeviceAddress: Duration] = [:]
    private var lastNew: Duration

    init(since begin: Duration) {
        self.begin = begin
        lastNew = begin
    }

    /// Adds `sighting` as of `moment`; returns whether nothing is missing.
    mutating func isReached(by sighting: BeaconSighting, at moment: Duration) -> Bool {
        let address = sighting.address
        if sighting.identity.isComplete { incomplete.remove(address) } else { incomplete.insert(address) }
        timeout[address] = sighting.timeoutEnd
        if known.insert(address).inserted { lastNew = moment }
        return incomplete.isEmpty && moment - begin >= Self.shortest && moment - lastNew >= Self.quiet
            && timeout.values.allSatisfy { $0 + Self.quiet <= moment }
    }
}
