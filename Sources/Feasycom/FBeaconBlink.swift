package import UpdateModel

/// Makes a Feasycom beacon blink or beep, and keeps the link until the signal is over (fbeacon.md, Showing itself).
package struct FBeaconBlink: SessionDialogue {
    package typealias Ending = Void

    package enum Means: Sendable {
        case light
        case beep
    }

    private enum Stage {
        /// Reading the light's present setting.
        case asking
        case starting
        case holding
        case ending
    }

    private static let step = "blinking"
    /// The maximum number of unexpected notifications while holding the link.
    private static let maximumStrays = 256

    private let means: Means
    private let length: Duration
    private var link = LinkFacts(maximumWriteLength: 20)
    private var stage = Stage.asking
    /// The current command; the previous one while the link is held.
    private var exchange: FBeaconExchange
    /// The failure if the beacon answers ERROR to the query of the light's setting, or to the start of the signal.
    private let unsupported: SessionFailure
    /// The light's setting before the signal, in milliseconds; nil if there is none to restore.
    private var before: UInt32?
    /// How much longer to keep the link.
    private var remaining = Duration.zero
    private var strays = 0

    package init(by means: Means, for length: Duration) {
        (self.means, self.length) = (means, min(max(length, .milliseconds(1)), BlinkRequest.longest))
        unsupported = SessionFailure(
            .session.notSupported, during: Self.step,
            means == .light ? "the beacon has no switchable light" : "the beacon has no buzzer")
        exchange = FBeaconExchange(
            .asking(for: "LED", answeredBy: ["+LED="]), during: Self.step, refusedAs: unsupported)
    }

    package mutating func begin(on link: LinkFacts) throws(SessionFailure) -> Step {
        self.link = link
        guard means == .light, stage == .asking else {
            before = nil
            return try startSignal()
        }
        return try continueExchange(exchange.begin(on: link))
    }

    package mutating func note(_ times: CommandTimes) {
        if stage == .holding { remaining -= times.ended - times.started } else { exchange.note(times) }
    }

    package mutating func advance(after outcome: DialogueOutcome) throws(SessionFailure) -> Step {
        guard stage == .holding else { return try continueExchange(try exchange.advance(after: outcome)) }
        strays += 1
        guard remaining > .zero, outcome != .timedOut else { return try end() }
        guard strays < Self.maximumStrays else {
            throw SessionFailure(
                .session.answerMalformed, during: Self.step,
                "the beacon keeps sending unexpected notifications")
        }
        return wait
    }

    private mutating func continueExchange(_ step: FBeaconExchange.Step) throws(SessionFailure) -> Step {
        try step.asPart { (answer) throws(SessionFailure) in
            switch stage {
            case .asking:
                // A value that is not a number is not written back.
                before = answer.flatMap { UInt32($0) }
                return try startSignal()
            case .starting:
                // The signal may start late, and the next command ends it. So the link is kept 500 ms longer, at least 1 s.
                (stage, remaining) = (.holding, max(.seconds(1), length + .milliseconds(500)))
                return wait
            case .holding, .ending: return Step(.end(()))
            }
        }
    }

    private mutating func startSignal() throws(SessionFailure) -> Step {
        stage = .starting
        exchange = FBeaconExchange(
            means == .light ? .setting(lightFor: UInt32(length / .milliseconds(1))) : .sounding(true),
            during: Self.step, refusedAs: unsupported)
        return try continueExchange(exchange.begin(on: link))
    }

    /// Restores the light's setting, or silences the buzzer.
    private mutating func end() throws(SessionFailure) -> Step {
        stage = .ending
        guard let command = means == .beep ? .sounding(false) : before.map(FBeaconCommand.setting(lightFor:))
        else { return Step(.end(())) }
        exchange = FBeaconExchange(command, during: "stopping the signal")
        return try continueExchange(exchange.begin(on: link))
    }

    /// Waits for the rest of the signal; listening detects a link that ends early.
    private var wait: Step { Step(.expect(from: FBeaconService.answers, within: remaining)) }
}
