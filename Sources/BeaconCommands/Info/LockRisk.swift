import ArgumentParser
import BeaconIdentity
import FirmwareModel
import Radio

/// A risk that `info` takes only when it is named.
enum LockRisk: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// The beacon may refuse everybody for a while afterwards.
    case lock = "lock-risk"

    /// The last version that locks.
    private static let lastVersion = VersionOrder("3.1")

    /// How long a link to `beacon` may last. Kontakt.io's hang up after 30 s, and only then refuse everybody.
    static func timeToRead(_ beacon: BeaconSighting) -> Duration {
        .seconds(beacon.identity.family == .kontakt ? 20 : 30)
    }

    /// Throws for a beacon that a connection could lock: Kontakt.io's up to 3.1 drop a client that writes no password for
    /// 30 s, and then refuse everybody for 20 minutes (beacon-frames.md, Limits).
    static func check(_ beacon: BeaconSighting, allowing risks: [LockRisk]) throws(CommandFailure) {
        guard !risks.contains(.lock), isKontakt(beacon.identity) else { return }
        let version = beacon.version.flatMap { VersionOrder($0) }
        if let version, let lastVersion, version > lastVersion { return }
        throw CommandFailure(
            "would-lock-beacon", during: "looking for the device",
            message:
                "\(beacon.address) is a Kontakt.io beacon with firmware \(beacon.version ?? "of an unknown version")"
        )
    }

    /// By its frames, those too that came damaged.
    private static func isKontakt(_ identity: AdvertisedIdentity) -> Bool {
        identity.family == .kontakt || identity.flaws.contains { $0.frame.family == .kontakt }
    }
}
