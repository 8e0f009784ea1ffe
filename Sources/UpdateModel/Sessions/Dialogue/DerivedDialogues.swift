/// A dialogue with a result computed from that of another one.
public struct MappedDialogue<Base: Dialogue, Ending: Sendable>: Dialogue
where Base.Notice == Never, Base.Failure == SessionFailure {
    public typealias Notice = Never
    public typealias Failure = SessionFailure

    private var base: Base
    private let map: @Sendable (Base.Ending) throws(SessionFailure) -> Ending

    /// Converts the result of `base` with `map`.
    public init(
        _ base: Base, _ map: @escaping @Sendable (Base.Ending) throws(SessionFailure) -> Ending
    ) {
        (self.base, self.map) = (base, map)
    }

    public mutating func begin(on link: LinkFacts) throws(SessionFailure) -> DialogueStep<Ending, Never> {
        try mapped(try base.begin(on: link))
    }

    public mutating func note(_ times: CommandTimes) { base.note(times) }

    public mutating func advance(
        after outcome: DialogueOutcome
    ) throws(SessionFailure) -> DialogueStep<Ending, Never> {
        try mapped(try base.advance(after: outcome))
    }

    private func mapped(
        _ step: DialogueStep<Base.Ending, Never>
    ) throws(SessionFailure) -> DialogueStep<Ending, Never> {
        DialogueStep(
            try step.command.asPart { (ending) throws(SessionFailure) in .end(try map(ending)) })
    }
}

/// A dialogue that ends at once: its result is known.
public struct KnownResult<Ending: Sendable>: Dialogue {
    public typealias Notice = Never
    public typealias Failure = SessionFailure

    private let ending: Ending

    public init(_ ending: Ending) { self.ending = ending }

    public mutating func begin(on link: LinkFacts) -> DialogueStep<Ending, Never> {
        DialogueStep(.end(ending))
    }

    public mutating func note(_ times: CommandTimes) {}

    public mutating func advance(after outcome: DialogueOutcome) -> DialogueStep<Ending, Never> {
        DialogueStep(.end(ending))
    }
}
