public import Sessions

/// Makes a KBeacon show itself (kbeacon.md, Ring).
public struct KBeaconRing: Sendable {
    /// By what.
    public enum Means: Int, Sendable {
        case beep = 1
        case light = 2
    }

    /// How long a link has to stand for what takes `length`: light and beeper stop with it.
    public static func holding(_ length: Duration) -> Duration {
        max(.seconds(1), length + .milliseconds(500))
    }
    /// As long as a beacon shows itself at most.
    public static let longest = Duration.seconds(60)

    private let means: Means
    private let message: KBeaconMessage

    /// Shows itself by `means` for `length`.
    public init(by means: Means, for length: Duration) {
        self.means = means
        let time = min(max(length, .milliseconds(1)), Self.longest) / .milliseconds(1)
        message = KBeaconMessage(
            "ring", [("ringTime", .number(Int(time))), ("ringType", .number(means.rawValue))])
    }

    /// What tells it so. Throws where `peer` cannot do that.
    public func exchange(with peer: KBeaconIntroduction.Peer) throws(SessionFailure) -> KBeaconExchange {
        if means == .beep, peer.identity.capabilities?.beeps == false {
            throw SessionFailure(.notSupported, during: "ringing", "the beacon has no beeper")
        }
        return KBeaconExchange(message.bytes, on: peer.terms, during: "ringing")
    }
}
