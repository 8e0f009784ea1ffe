import ArgumentParser
import Bluetooth
package import Firmware
import UpdateModel

/// A risk that `info` takes only if `--force` names it.
package enum LockRisk: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// The beacon may refuse every connection for a while afterwards.
    case lock = "lock-risk"

    /// The last firmware version of Kontakt.io's beacons that lock themselves.
    private static let lastVersion = VersionOrder("3.1")

    /// The time limit for reading `beacon`: below the 30 s after which Kontakt.io's beacons disconnect and lock.
    package static func timeToRead(_ beacon: BeaconSighting) -> Duration {
        .seconds(beacon.identity.family == .kontakt ? 20 : 30)
    }

    /// Throws for a beacon that a connection could lock: Kontakt.io's up to 3.1 drop a client that writes no password
    /// for 30 s, and then refuse every connection for 20 minutes (docs/troubleshooting.md, `would-lock-beacon`).
    package static func check(_ beacon: BeaconSighting, allowing risks: [LockRisk]) throws(CommandFailure) {
        guard !risks.contains(.lock), isKontakt(beacon.identity) else { return }
        let version = beacon.version.flatMap { VersionOrder($0) }
        if let version, let lastVersion, version > lastVersion { return }
        throw CommandFailure(
            .command.wouldLockBeacon, during: "looking for the beacon",
            message:
                "\(beacon.address) is a Kontakt.io beacon with firmware \(beacon.version ?? "of an unknown version")"
        )
    }

    /// Whether the beacon is one of Kontakt.io's, by its frames, including damaged ones.
    private static func isKontakt(_ identity: AdvertisedIdentity) -> Bool {
        identity.family == .kontakt || identity.frameErrors.contains { $0.frame.family == .kontakt }
    }
}
