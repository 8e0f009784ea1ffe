import ArgumentParser
package import Bluetooth
package import Firmware
import Synchronization

extension Adapter {
    /// Listens for `limit`, or until `isEnough` is true. With `isSearch` the limit is extended by the time in which
    /// another program's scan kept the adapter deaf. Without `afresh`, beacons that were already reported need not be
    /// reported again. Includes what was heard `earlier`. `beacons` can be read meanwhile. `status` shows the progress.
    package func listen(
        for limit: Duration, after earlier: BeaconSightings? = nil, isSearch: Bool = false,
        afresh: Bool = true, collecting beacons: HeardBeacons? = nil,
        telling status: SearchStatus? = nil, until isEnough: @escaping @Sendable (BeaconSighting) -> Bool
    ) async throws -> BeaconSightings {
        let collected = beacons ?? HeardBeacons(earlier ?? BeaconSightings(isComplete: passesEveryReport))
        let end = time.now + limit
        let before = unheardTime
        async let _ = status?.speak(
            of: { collected.sightings },
            until: { isSearch ? end + limitExtension(since: before) : end }, time: time)
        let listening: @Sendable () async throws -> Void = {
            for await report in try await afresh ? advertisements() : furtherAdvertisements() {
                if isEnough(collected.add(report, at: time.now)) { return }
            }
            guard Task.isCancelled else { throw AdapterError.unavailable("the adapter is gone") }
        }
        _ = isSearch ? try await hearing(within: limit, listening) : try await time.within(limit, listening)
        try Task.checkCancellation()
        return collected.sightings
    }
}

package final class HeardBeacons: Sendable {
    private let state: Mutex<BeaconSightings>

    package init(_ sightings: BeaconSightings) { state = Mutex(sightings) }

    package var sightings: BeaconSightings { state.withLock { $0 } }

    func add(_ report: Advertisement, at moment: Duration) -> BeaconSighting {
        state.withLock { $0.add(report, at: moment) }
    }
}

extension BeaconSightings { package var byStrength: [BeaconSighting] { SightingOrder.rssi.sorted(all) } }

package enum SightingOrder: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// Strongest signal first.
    case rssi
    case address
    /// Beacons without a name last.
    case name
    /// By the time when they were first heard.
    case seen

    /// Sorts by this order, then by address.
    package func sorted(_ sightings: some Sequence<BeaconSighting>) -> [BeaconSighting] {
        let byAddress = sightings.sorted {
            ($0.address.description, $0.address.kind.rawValue)
                < ($1.address.description, $1.address.kind.rawValue)
        }
        // The standard library's sort is stable.
        switch self {
        case .rssi: return byAddress.sorted { ($0.rssi ?? .min) > ($1.rssi ?? .min) }
        case .address: return byAddress
        case .name: return byAddress.sorted { isBefore($0.data.name, $1.data.name) }
        case .seen: return byAddress.sorted { $0.firstSeen < $1.firstSeen }
        }
    }

    private func isBefore(_ first: String?, _ second: String?) -> Bool {
        guard let first else { return false }
        guard let second else { return true }
        return first < second
    }
}
