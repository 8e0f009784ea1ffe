/// A dialogue that opens a session or takes place in one; it has no notices.
public protocol SessionDialogue: Dialogue where Notice == Never, Failure == SessionFailure {
    /// The `failure` that has ended the dialogue, with what is known about its effect on the beacon.
    func completing(_ failure: SessionFailure) -> SessionFailure
}

extension SessionDialogue {
    public typealias Step = DialogueStep<Ending, Never>

    public func completing(_ failure: SessionFailure) -> SessionFailure { failure }
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

extension DialogueStep where Notice == Never {
    /// The step with the same command in an enclosing dialogue; where this dialogue ends, the step is that of `next`.
    public func asPart<Whole: Sendable, WholeNotice: Sendable, Failure: Error>(
        then next: (Ending) throws(Failure) -> DialogueStep<Whole, WholeNotice>
    ) throws(Failure) -> DialogueStep<Whole, WholeNotice> {
        let part: DialogueCommand<Whole>
        switch command {
        case .subscribe(let source): part = .subscribe(source)
        case .request(let bytes, let target, let source, let limit):
            part = .request(bytes, on: target, answerOn: source, within: limit)
        case .expect(let source, let limit): part = .expect(from: source, within: limit)
        case .write(let bytes, let target, let mayRefuse):
            part = .write(bytes, on: target, mayRefuse: mayRefuse)
        case .open(let psm, let limit): part = .open(psm: psm, within: limit)
        case .find(let wanted): part = .find(wanted)
        case .read(let source): part = .read(source)
        case .readIfAllowed(let source): part = .readIfAllowed(source)
        case .readHandle(let handle, let uuid, let limit): part = .readHandle(handle, of: uuid, within: limit)
        case .list(let listing, let limit): part = .list(listing, within: limit)
        case .stream(let run): part = .stream(run)
        case .rest(let length): part = .rest(length)
        case .end(let ending): return try next(ending)
        }
        return DialogueStep<Whole, WholeNotice>(part)
    }
}
