public import Sessions

/// A message to a KBeacon whose answer is read as something.
public struct KBeaconQuestion<Answer: Sendable>: Dialogue {
    /// What the answer says.
    public typealias Ending = Answer
    /// It says nothing on its way.
    public typealias Notice = Never
    /// Why it goes no further.
    public typealias Failure = SessionFailure

    private var exchange: KBeaconExchange
    private let read: @Sendable ([UInt8]) throws(SessionFailure) -> Answer

    /// What `read` makes of the answer in `exchange`.
    init(
        _ exchange: KBeaconExchange, _ read: @escaping @Sendable ([UInt8]) throws(SessionFailure) -> Answer
    ) {
        (self.exchange, self.read) = (exchange, read)
    }

    /// As the exchange begins.
    public mutating func begin(on link: LinkFacts) throws(SessionFailure) -> DialogueStep<Answer, Never> {
        try told(exchange.begin(on: link))
    }

    /// The exchange counts its time.
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
