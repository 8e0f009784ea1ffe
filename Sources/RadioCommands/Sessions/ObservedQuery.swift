import UpdateModel

/// An identity query that reports why it failed to `noteFailure`.
struct ObservedQuery<Base: IdentityQuery>: IdentityQuery {
    typealias Ending = ApplicationFacts
    typealias Notice = Never
    typealias Failure = SessionFailure

    var base: Base
    let noteFailure: @Sendable (SessionFailure) -> Void

    var leastInterval: Duration { base.leastInterval }

    mutating func begin(on link: LinkFacts) throws(SessionFailure) -> DialogueStep<Ending, Never> {
        do throws(SessionFailure) { return try base.begin(on: link) } catch {
            noteFailure(error)
            throw error
        }
    }

    mutating func note(_ times: CommandTimes) { base.note(times) }

    mutating func advance(
        after outcome: DialogueOutcome
    ) throws(SessionFailure) -> DialogueStep<Ending, Never> {
        do throws(SessionFailure) { return try base.advance(after: outcome) } catch {
            noteFailure(error)
            throw error
        }
    }
}
