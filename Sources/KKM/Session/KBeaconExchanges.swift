package import UpdateModel

/// Several messages to a KBeacon whose session is open, one after another (kbeacon.md, Acks).
package struct KBeaconExchanges: Dialogue {
    /// The answers, in the order of the messages; nil for one that was refused and is optional.
    package typealias Ending = [[UInt8]?]

    struct Message: Sendable {
        let message: KBeaconMessage
        /// Whether a beacon that lacks the feature may refuse.
        var mayBeRefused = false
        let step: String
    }

    /// How long to wait after a beacon was busy, and how often.
    static let busyPause = Duration.milliseconds(500)
    static let maximumPauses = 3

    private let messages: [Message]
    private let terms: KBeaconHandshake.Terms
    private var answers: [[UInt8]?] = []
    /// The current exchange; nil during the wait after a beacon was busy.
    private var exchange: KBeaconExchange?
    private var pauses = 0

    init(_ messages: [Message], on terms: KBeaconHandshake.Terms) {
        (self.messages, self.terms) = (messages, terms)
    }

    package mutating func begin(on link: LinkFacts) throws(SessionFailure) -> DialogueStep<Ending, Never> {
        answers = []
        return try next()
    }

    package mutating func note(_ times: CommandTimes) { exchange?.note(times) }

    package mutating func advance(
        after outcome: DialogueOutcome
    ) throws(SessionFailure) -> DialogueStep<Ending, Never> {
        guard var exchange, answers.count < messages.count else { return try next(after: pauses) }
        let message = messages[answers.count]
        do throws(SessionFailure) {
            let step = try exchange.advance(after: outcome)
            self.exchange = exchange
            return try follow(step)
        } catch {
            if error.code == .session.beaconBusy, pauses < Self.maximumPauses {
                pauses += 1
                self.exchange = nil
                return DialogueStep(.rest(Self.busyPause))
            }
            guard message.mayBeRefused,
                [.session.refusedByDevice, .session.notSupported].contains(error.code)
            else { throw error }
            answers.append(nil)
            return try next()
        }
    }

    /// The first step of the next message, before which the beacon was busy `pauses` times.
    private mutating func next(after pauses: Int = 0) throws(SessionFailure) -> DialogueStep<Ending, Never> {
        self.pauses = pauses
        guard answers.count < messages.count else { return DialogueStep(.end(answers)) }
        let message = messages[answers.count]
        var exchange = KBeaconExchange(message.message.bytes, on: terms, during: message.step)
        let step = exchange.begin()
        self.exchange = exchange
        return try follow(step)
    }

    private mutating func follow(
        _ step: DialogueStep<[UInt8], Never>
    ) throws(SessionFailure) -> DialogueStep<Ending, Never> {
        DialogueStep(
            try step.command.asPart { (answer) throws(SessionFailure) in
                answers.append(answer)
                return try next().command
            })
    }
}
