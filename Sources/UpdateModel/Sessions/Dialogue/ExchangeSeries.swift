/// Several exchanges with a beacon, one after another. A beacon that is busy is asked again after a pause.
public struct ExchangeSeries<Exchange: SessionDialogue>: SessionDialogue {
    /// The results in the order of the exchanges; nil for an optional exchange that was refused.
    public typealias Ending = [Exchange.Ending?]

    public struct Part: Sendable {
        let exchange: Exchange
        /// Whether a beacon that lacks the feature may refuse.
        let mayBeRefused: Bool

        public init(_ exchange: Exchange, mayBeRefused: Bool = false) {
            (self.exchange, self.mayBeRefused) = (exchange, mayBeRefused)
        }
    }

    /// How long to wait after a beacon was busy, and how often for one exchange.
    package static var busyPause: Duration { .milliseconds(500) }
    package static var maximumPauses: Int { 3 }

    private let parts: [Part]
    private var answers: Ending = []
    private var link = LinkFacts(maximumWriteLength: 20)
    /// The current exchange; nil during the wait after a beacon was busy.
    private var exchange: Exchange?
    private var pauses = 0

    public init(_ parts: [Part]) { self.parts = parts }

    public mutating func begin(on link: LinkFacts) throws(SessionFailure) -> Step {
        (self.link, answers) = (link, [])
        return try next()
    }

    public mutating func note(_ times: CommandTimes) { exchange?.note(times) }

    public mutating func advance(after outcome: DialogueOutcome) throws(SessionFailure) -> Step {
        guard var exchange, answers.count < parts.count else { return try next(after: pauses) }
        do throws(SessionFailure) {
            let step = try exchange.advance(after: outcome)
            self.exchange = exchange
            return try follow(step)
        } catch {
            guard error.code.isRefusal else { throw error }
            if error.code == .session.beaconBusy {
                if pauses < Self.maximumPauses {
                    pauses += 1
                    self.exchange = nil
                    return Step(.rest(Self.busyPause))
                }
            } else if parts[answers.count].mayBeRefused {
                answers.append(nil)
                return try next()
            }
            let accepted = answers.count { $0 != nil }
            throw accepted == 0
                ? error : error.adding("requests accepted before: \(accepted) of \(parts.count)")
        }
    }

    /// The first step of the next exchange, or of one for which the beacon was busy `pauses` times.
    private mutating func next(after pauses: Int = 0) throws(SessionFailure) -> Step {
        self.pauses = pauses
        guard answers.count < parts.count else { return Step(.end(answers)) }
        var exchange = parts[answers.count].exchange
        let step = try exchange.begin(on: link)
        self.exchange = exchange
        return try follow(step)
    }

    private mutating func follow(_ step: Exchange.Step) throws(SessionFailure) -> Step {
        try step.asPart { (answer) throws(SessionFailure) in
            answers.append(answer)
            return try next()
        }
    }
}
