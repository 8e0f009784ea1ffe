/// A dialogue that opens a session or takes place in one; it has no notices.
public protocol SessionDialogue: Dialogue where Notice == Never, Failure == SessionFailure {}

extension SessionDialogue {
    public typealias Step = DialogueStep<Ending, Never>
}

/// A dialogue with a result computed from that of another one.
public struct MappedDialogue<Base: SessionDialogue, Ending: Sendable>: SessionDialogue {
    public typealias Step = DialogueStep<Ending, Never>

    private var base: Base
    private let map: @Sendable (Base.Ending) throws(SessionFailure) -> Ending

    /// Converts the result of `base` with `map`.
    public init(_ base: Base, _ map: @escaping @Sendable (Base.Ending) throws(SessionFailure) -> Ending) {
        (self.base, self.map) = (base, map)
    }

    public mutating func begin(on link: LinkFacts) throws(SessionFailure) -> Step {
        try mapped(try base.begin(on: link))
    }

    public mutating func note(_ times: CommandTimes) { base.note(times) }

    public mutating func advance(after outcome: DialogueOutcome) throws(SessionFailure) -> Step {
        try mapped(try base.advance(after: outcome))
    }

    private func mapped(_ step: Base.Step) throws(SessionFailure) -> Step {
        try step.asPart { (ending) throws(SessionFailure) in Step(.end(try map(ending))) }
    }
}

/// A dialogue that ends at once: its result is known.
public struct KnownResult<Ending: Sendable>: SessionDialogue {
    public typealias Step = DialogueStep<Ending, Never>

    private let ending: Ending

    public init(_ ending: Ending) { self.ending = ending }

    public func begin(on link: LinkFacts) -> Step { Step(.end(ending)) }
    public func note(_ times: CommandTimes) {}
    public func advance(after outcome: DialogueOutcome) -> Step { Step(.end(ending)) }
}
