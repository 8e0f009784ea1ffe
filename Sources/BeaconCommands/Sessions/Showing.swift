import BeaconIdentity
import BeaconSessions
import FBeacon
import KBeacon
import Sessions

/// By what a beacon shows itself.
enum ShowingMeans: Sendable {
    case light, beep
}

extension SessionOptions.Found {
    /// Makes the beacon show itself for `length`, and holds the link until it has. A Feasycom beacon without a light sounds its
    /// buzzer.
    func show(by means: ShowingMeans, for length: Duration) async throws {
        let purpose = "to make it show itself"
        switch beacon.identity.family {
        case .feasycom:
            let flags = beacon.identity.flags
            let shown: FBeaconShow.Means = means == .light && flags.contains("led") ? .light : .beep
            guard shown == .light || flags.contains("buzzer") else {
                throw CommandFailure(
                    "not-supported", during: "looking for the device",
                    message: "\(address) advertises "
                        + (means == .beep ? "no buzzer" : "neither a light nor a buzzer"))
            }
            try await withSession(of: FBeaconSettings.self, for: purpose) { session in
                try await session.perform { (_: Void) throws(SessionFailure) in
                    FBeaconShow(by: shown, for: length)
                }
            }
        default:
            try await withKBeacon(for: purpose) { session in
                try await session.perform { (peer) throws(SessionFailure) in
                    try KBeaconRing(by: means == .light ? .light : .beep, for: length, of: peer)
                }
            }
        }
    }
}
