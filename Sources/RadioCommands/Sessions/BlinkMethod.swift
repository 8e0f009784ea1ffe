package import Bluetooth
package import CommandKit
import Feasycom
package import Identity
package import KKM
package import UpdateEngine
import UpdateModel

/// How a beacon is made to light up or beep: one case for each maker's method.
package enum BlinkMethod: Sendable {
    case kBeacon
    /// With the light and the buzzer that it advertises.
    case feasycom(hasLight: Bool, hasBuzzer: Bool)

    /// The method for a beacon by its advertisements. Throws if none is known.
    package init(of beacon: BeaconSighting) throws(CommandFailure) {
        let flags = beacon.identity.flags
        switch beacon.identity.family {
        case .kkm: self = .kBeacon
        case .feasycom where flags.contains("led") || flags.contains("buzzer"):
            self = .feasycom(hasLight: flags.contains("led"), hasBuzzer: flags.contains("buzzer"))
        case .feasycom:
            throw CommandFailure(
                .session.notSupported, during: "looking for the beacon",
                message: "\(beacon.address) advertises neither a light nor a buzzer")
        default:
            throw CommandFailure(
                .session.notSupported, during: "looking for the beacon",
                message:
                    "\(beacon.address) is of a kind that is not known to light up or beep on request"
            )
        }
    }

    /// Makes `beacon` light up for `length`, with these `flashes` if given, over a link of `adapter`; it
    /// beeps if `beeps`, or if it has no light. Calls `begin` just before the request, and returns when the
    /// beacon is done.
    package func show(
        _ beacon: BeaconSighting, beeping beeps: Bool = false, for length: Duration,
        flashing flashes: KBeaconRing.Flashes? = nil, with adapter: some Adapter,
        by secrets: SecretStore, telling tell: @escaping @Sendable (SessionEvent) -> Void = { _ in },
        begin: @escaping @Sendable () -> Void
    ) async throws {
        switch self {
        case .kBeacon:
            let kind = { () throws(SessionFailure) in try secrets.kBeacon(beacon) }
            try await secrets.withSession(with: beacon.address, over: adapter, telling: tell, of: kind) {
                session in
                begin()
                try await session.perform { (peer) throws(SessionFailure) in
                    try KBeaconRing(by: beeps ? .beep : .light, for: length, flashes, of: peer)
                }
            }
        case .feasycom(let hasLight, let hasBuzzer):
            guard flashes == nil else {
                throw CommandFailure(
                    .session.notSupported, during: "looking for the beacon",
                    message: "--led-on and --led-off are for KBeacons, and \(beacon.address) is not one")
            }
            guard hasBuzzer || !beeps else {
                throw CommandFailure(
                    .session.notSupported, during: "looking for the beacon",
                    message: "\(beacon.address) advertises no buzzer")
            }
            let kind = { () throws(SessionFailure) in try secrets.fBeacon(beacon) }
            try await secrets.withSession(with: beacon.address, over: adapter, telling: tell, of: kind) {
                session in
                begin()
                try await session.perform { (_: Void) throws(SessionFailure) in
                    FBeaconBlink(by: hasLight && !beeps ? .light : .beep, for: length)
                }
            }
        }
    }
}
