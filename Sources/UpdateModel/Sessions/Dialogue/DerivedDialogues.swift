/// A dialogue with a result computed from that of another one.
public struct MappedDialogue<Base: Dialogue, Ending: Sendable>: Dialogue
where Base.Notice == Never, Base.Failure == SessionFailure {
    /// It has no notices.
    public typealias Notice = Never
    /// Why it failed.
    public typealias Failure = SessionFailure

    private var base: Base
    private let map: @Sendable (Base.Ending) throws(SessionFailure) -> Ending

    /// Converts the result of `base` with `map`.
    public init(
        _ base: Base, _ map: @escaping @Sendable (Base.Ending) throws(SessionFailure) -> Ending
    ) {
        (self.base, self.map) = (base, map)
    }

    /// The first step of the other one.
    public mutating func begin(on link: LinkFacts) throws(SessionFailure) -> DialogueStep<Ending, Never> {
        try mapped(try base.begin(on: link))
    }

    /// Passes times on.
    public mutating func note(_ times: CommandTimes) { base.note(times) }

    /// The next step of the other one.
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
    /// It has no notices.
    public typealias Notice = Never
    /// Why it failed.
    public typealias Failure = SessionFailure

    private let ending: Ending

    /// Ends with `ending`.
    public init(_ ending: Ending) { self.ending = ending }

    /// The end.
    public mutating func begin(on link: LinkFacts) -> DialogueStep<Ending, Never> {
        DialogueStep(.end(ending))
    }

    /// Nothing is sent.
    public mutating func note(_ times: CommandTimes) {}

    /// Nothing is sent.
    public mutating func advance(after outcome: DialogueOutcome) -> DialogueStep<Ending, Never> {
        DialogueStep(.end(ending))
    }
}
