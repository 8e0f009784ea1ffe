package import UpdateModel

/// Makes a KBeacon blink or beep, and keeps the link until the signal is over: light and beeper stop with the link
/// (kbeacon.md, Ring).
package struct KBeaconRing: SessionDialogue {
    package typealias Ending = Void

    package enum Signal: Int, Sendable {
        case beep = 1
        case light = 2
    }

    /// The maximum number of unexpected packets while holding the link.
    private static let maximumStrays = 256

    private let hold: Duration
    private var exchange: KBeaconExchange
    /// How much longer to keep the link; nil until the beacon has accepted the message.
    private var left: Duration?
    private var strays = 0

    /// Makes `peer` give `signal` for `length`; a nil `flashes` leaves the light its own rhythm. Throws if the beacon has
    /// no beeper to beep with.
    package init(
        by signal: Signal, for length: Duration, _ flashes: BlinkRequest.Flashes? = nil,
        of peer: KBeaconQuery.Peer
    ) throws(SessionFailure) {
        if signal == .beep, peer.identity.capabilities?.beeps == false {
            throw SessionFailure(.session.notSupported, during: "ringing", "the beacon has no beeper")
        }
        let length = min(max(length, .milliseconds(1)), BlinkRequest.longest)
        let time = Int(length / .milliseconds(1))
        var members: [(String, KBeaconMessage.Value)] = [
            ("ringTime", .number(time)), ("ringType", .number(signal.rawValue)),
        ]
        if signal == .light, let flashes {
            members += [("ledOn", .number(flashes.on)), ("ledOff", .number(flashes.off))]
        }
        let message = KBeaconMessage("ring", members)
        // Light and beeper stop with the link. We assume that they start at most 500 ms after the request, and that a
        // short signal needs 1 s.
        hold = max(.seconds(1), length + .milliseconds(500))
        exchange = KBeaconExchange(message.bytes, on: peer.terms, during: "ringing")
    }

    package mutating func begin(on link: LinkFacts) -> Step {
        left == nil ? waitAfterLast(exchange.begin()) : Step(.end(()))
    }

    package mutating func note(_ times: CommandTimes) {
        if let left { self.left = left - (times.ended - times.started) } else { exchange.note(times) }
    }

    package mutating func advance(after outcome: DialogueOutcome) throws(SessionFailure) -> Step {
        guard let left else { return waitAfterLast(try exchange.advance(after: outcome)) }
        strays += 1
        guard left > .zero, outcome != .timedOut else { return Step(.end(())) }
        guard strays < Self.maximumStrays else {
            throw SessionFailure(
                .session.answerMalformed, during: "ringing", "the beacon keeps sending unexpected packets")
        }
        return wait(left)
    }

    /// A step of the request; after its last one, the wait for the rest of the signal.
    private mutating func waitAfterLast(_ step: KBeaconExchange.Step) -> Step {
        step.asPart { _ in
            left = hold
            return wait(hold)
        }
    }

    /// Waits for the rest of the signal; listening detects a link that ends early.
    private func wait(_ left: Duration) -> Step { Step(.expect(from: KBeaconService.answers, within: left)) }
}
