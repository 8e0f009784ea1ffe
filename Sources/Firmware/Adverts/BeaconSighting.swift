package import Bluetooth
import Glibc
package import UpdateModel

/// A beacon that was heard, with the identity from its frames.
@dynamicMemberLookup package struct BeaconSighting: Equatable, Sendable {
    /// All its reports combined.
    package private(set) var heard: Sighting
    package private(set) var identity: AdvertisedIdentity

    init(_ heard: Sighting, _ identity: AdvertisedIdentity) {
        (self.heard, self.identity) = (heard, identity)
    }

    /// The first report of a beacon, at `moment`. `isComplete`: the adapter reports every advertisement.
    package init(_ report: Advertisement, at moment: Duration, isComplete: Bool = false) {
        self.init(
            Sighting(report, at: moment, isComplete: isComplete), AdvertisedIdentity(of: report.address))
        identity.hear(report.data)
    }

    /// Adds another report of the same beacon.
    package mutating func add(_ report: Advertisement, at moment: Duration) {
        heard.add(report, at: moment)
        identity.hear(report.data)
    }

    /// The members of ``heard``.
    package subscript<Value>(dynamicMember part: KeyPath<Sighting, Value>) -> Value { heard[keyPath: part] }

    /// What it may advertise but was not heard yet: its name, and parts of its frames.
    package var missing: [AdvertisedPart] {
        (heard.mayHaveName ? [.name] : []) + (versionTimeout == nil ? [] : [.version]) + identity.missing
    }

    /// When, by the adapter's clock, the last of the missing parts that are expected only for a limited time counts as
    /// absent; nil if there are no such parts.
    package var timeoutEnd: Duration? {
        [
            heard.mayHaveName ? heard.firstSeen + Sighting.nameTimeout : nil,
            versionTimeout.map { heard.firstSeen + $0 },
        ].compactMap(\.self).max()
    }

    /// How long after the first report to wait for a version that not all beacons of the family advertise; nil not to.
    private var versionTimeout: Duration? {
        guard let timeout = identity.family.versionTimeout, identity.version == nil,
            !identity.missing.contains(.version), heard.lastSeen - heard.firstSeen < timeout
        else { return nil }
        return timeout
    }

    package var isComplete: Bool { missing.isEmpty }

    package var charge: BatteryCharge { identity.charge }
    package var version: String? { identity.version }
}

/// The beacons that were heard, as many as a `SightingMemory` holds.
package struct BeaconSightings: Sendable {
    private var memory: SightingMemory
    private var identities: [DeviceAddress: AdvertisedIdentity] = [:]

    /// No beacons yet. `isComplete`: the adapter reports every advertisement.
    package init(isComplete: Bool = false) { memory = SightingMemory(isComplete: isComplete) }

    /// Adds a report that arrived at `moment`; returns all that is known of its sender.
    @discardableResult package mutating func add(
        _ report: Advertisement, at moment: Duration
    ) -> BeaconSighting {
        let (sighting, forgotten) = memory.add(report, at: moment)
        if let forgotten { identities[forgotten] = nil }
        identities[report.address, default: AdvertisedIdentity(of: report.address)].hear(report.data)
        return beacon(sighting)
    }

    /// Adds the beacons that only `other` has heard.
    package mutating func join(_ other: BeaconSightings) {
        memory.join(other.memory)
        identities.merge(other.identities) { known, _ in known }
    }

    package var count: Int { memory.sightings.count }

    /// The beacons that were heard, in no particular order.
    package var all: [BeaconSighting] { memory.sightings.values.map(beacon) }

    private func beacon(_ heard: Sighting) -> BeaconSighting {
        BeaconSighting(heard, identities[heard.address] ?? AdvertisedIdentity(of: heard.address))
    }
}

/// The distance of a beacon, estimated from its signal strength and that at 1 m.
///
/// The log-distance path loss model with the exponent 2 of free space: d = 10^((P − RSSI) / 20), with P the
/// power at 1 m. Walls, bodies and metal make it wrong by a factor of two or more: use it for sorting, not for
/// measuring.
package struct DistanceEstimate: Hashable, Sendable {
    /// Apple's terms for distances.
    package enum Proximity: String, CaseIterable, Sendable {
        /// Up to half a metre.
        case immediate
        /// Up to three metres.
        case near
        /// Farther away.
        case far
    }

    package let metres: Double

    /// The estimate for `rssi` dBm from a beacon with `measuredPower` dBm at 1 m; nil if a value is invalid:
    /// receivers report no reading of 0 dBm or above.
    package init?(rssi: Int8, measuredPower: Int8) {
        guard rssi < 0, measuredPower < 0 else { return nil }
        metres = pow(10, Double(Int(measuredPower) - Int(rssi)) / 20)
    }

    package var proximity: Proximity {
        if metres <= 0.5 { return .immediate }
        return metres <= 3 ? .near : .far
    }
}
