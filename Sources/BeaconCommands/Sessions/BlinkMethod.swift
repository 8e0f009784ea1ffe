import BeaconIdentity
import BeaconSessions
import FBeacon
import KBeacon
import Radio
import Sessions

/// How a beacon shows a person where it is: each maker's way has its place here.
enum BlinkMethod: Sendable {
    case kBeacon
    /// With what it advertises that it has.
    case feasycom(hasLight: Bool, hasBuzzer: Bool)

    /// That of a beacon which was heard so. Throws where none is known.
    init(of beacon: BeaconSighting) throws(CommandFailure) {
        let flags = beacon.identity.flags
        switch beacon.identity.family {
        case .kkm: self = .kBeacon
        case .feasycom where flags.contains("led") || flags.contains("buzzer"):
            self = .feasycom(hasLight: flags.contains("led"), hasBuzzer: flags.contains("buzzer"))
        case .feasycom:
            throw CommandFailure(
                "not-supported", during: "looking for the device",
                message: "\(beacon.address) advertises neither a light nor a buzzer")
        default:
            throw CommandFailure(
                "not-supported", during: "looking for the device",
                message:
                    "\(beacon.address) is of a kind that cannot be made to light up or beep, as far as is known"
            )
        }
    }

    /// Has `beacon` light up for `length`, with these `flashes` where they are chosen, or beep where it is to or has no light, over
    /// a link of `adapter`, and returns when it has; `begin` is called when it is about to be asked.
    func show(
        _ beacon: BeaconSighting, beeping beeps: Bool = false, for length: Duration,
        flashing flashes: KBeaconRing.Flashes? = nil, with adapter: some Adapter,
        by secrets: SecretKeeper, telling tell: @escaping @Sendable (SessionEvent) -> Void = { _ in },
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
                    "not-supported", during: "looking for the device",
                    message: "--led-on and --led-off are about KBeacons, and \(beacon.address) is none")
            }
            guard hasBuzzer || !beeps else {
                throw CommandFailure(
                    "not-supported", during: "looking for the device",
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
