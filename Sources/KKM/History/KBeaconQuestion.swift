public import UpdateModel

/// A message to a KBeacon, with a parser for its answer.
public struct KBeaconQuestion<Answer: Sendable>: Dialogue {
    /// The parsed answer.
    public typealias Ending = Answer
    /// It sends no notices.
    public typealias Notice = Never
    /// Why it fails.
    public typealias Failure = SessionFailure

    private var exchange: KBeaconExchange
    private let read: @Sendable ([UInt8]) throws(SessionFailure) -> Answer

    /// Parses the answer of `exchange` with `read`.
    init(
        _ exchange: KBeaconExchange, _ read: @escaping @Sendable ([UInt8]) throws(SessionFailure) -> Answer
    ) {
        (self.exchange, self.read) = (exchange, read)
    }

    /// Begins the exchange.
    public mutating func begin(on link: LinkFacts) throws(SessionFailure) -> DialogueStep<Answer, Never> {
        try told(exchange.begin(on: link))
    }

    /// The exchange counts the elapsed time.
    public mutating func note(_ times: CommandTimes) { exchange.note(times) }

    /// The step that follows from the outcome of the last one.
    public mutating func advance(
        after outcome: DialogueOutcome
    ) throws(SessionFailure) -> DialogueStep<Answer, Never> {
        try told(try exchange.advance(after: outcome))
    }

    private func told(
        _ step: DialogueStep<[UInt8], Never>
    ) throws(SessionFailure) -> DialogueStep<Answer, Never> {
        DialogueStep(
            try step.command.asPart { (bytes) throws(SessionFailure) in .end(try read(bytes)) })
    }
}
