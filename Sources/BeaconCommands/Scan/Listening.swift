import BluetoothTypes
import Radio
import Timing

/// Collects what is heard, address by address.
struct Listening: Sendable {
    /// Devices that change their addresses, or somebody who makes addresses up, must not fill memory.
    static let mostRemembered = 4096

    /// Whether the adapter passes every report on.
    let isComplete: Bool
    private(set) var sightings: [DeviceAddress: Sighting] = [:]

    init(isComplete: Bool = false) { self.isComplete = isComplete }

    /// Adds a report; gives all that is known of its sender.
    @discardableResult mutating func add(_ report: Advertisement, at moment: Duration) -> Sighting {
        guard var known = sightings[report.address] else {
            if sightings.count == Self.mostRemembered { forgetOne() }
            let new = Sighting(report, at: moment, isComplete: isComplete)
            sightings[report.address] = new
            return new
        }
        known.add(report, at: moment)
        sightings[report.address] = known
        return known
    }

    /// Adds whom only `other` has heard.
    mutating func join(_ other: Listening) { sightings.merge(other.sightings) { known, _ in known } }

    private mutating func forgetOne() {
        guard let oldest = sightings.values.min(by: { $0.lastSeen < $1.lastSeen }) else { return }
        sightings[oldest.address] = nil
    }

    /// Who was heard, the loudest first.
    var all: [Sighting] { SightingOrder.rssi.sorted(sightings.values) }
}

extension Adapter {
    /// Listens for `limit`, or until `isEnough` says so. With `isSearch` it goes on for as long as another program's
    /// scan has kept the adapter deaf. `status` tells of it.
    func listen(
        for limit: Duration, isSearch: Bool = false, telling status: SearchStatus? = nil,
        until isEnough: @escaping @Sendable (Advertisement) -> Bool
    ) async throws -> Listening {
        let collected = Collected(Listening(isComplete: passesEveryReport))
        let end = time.now + limit
        let deafBefore = deafTime
        async let _ = status?.speak(
            of: { await collected.listening },
            until: { isSearch ? end + grantedTime(since: deafBefore) : end }, time: time)
        let listening: @Sendable () async throws -> Void = {
            for await report in try await advertisements() {
                await collected.add(report, at: time.now)
                if isEnough(report) { return }
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
    var listening: Listening
    init(_ listening: Listening) { self.listening = listening }
    func add(_ report: Advertisement, at moment: Duration) { listening.add(report, at: moment) }
}
