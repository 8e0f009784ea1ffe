package import UpdateModel

/// A dialogue that a test plays step by step: it gives the outcome of each command, and sees the next one.
package struct PlayedDialogue<Subject: Dialogue> {
    package var dialogue: Subject
    /// How long each command takes, as the dialogue is informed; nil to inform it of nothing.
    package var pace: Duration?
    /// The last command.
    package private(set) var command = DialogueCommand<Subject.Ending>.rest(.zero)
    /// The notices since they were last taken.
    package private(set) var notices: [Subject.Notice] = []
    /// The last failure.
    package private(set) var failure: Subject.Failure?
    /// The time limits of all waits.
    package private(set) var limits: [Duration] = []
    /// Since the beginning.
    package private(set) var now = Duration.zero

    /// A dialogue before its first link.
    package init(unbegun dialogue: Subject, pace: Duration? = nil) {
        self.dialogue = dialogue
        self.pace = pace
    }

    /// A dialogue that has begun on a link.
    package init(
        _ dialogue: Subject, writing length: Int = 20, pace: Duration? = nil
    ) throws(Subject.Failure) {
        self.init(unbegun: dialogue, pace: pace)
        try begin(writing: length)
    }

    /// A new link, on which so many bytes fit in a write without response.
    package mutating func begin(writing length: Int = 244) throws(Subject.Failure) {
        do throws(Subject.Failure) {
            show(try dialogue.begin(on: LinkFacts(maximumWriteLength: length)))
        } catch { throw failed(error) }
    }

    /// The outcome of the last command, which has taken `time` or the usual.
    package mutating func take(
        _ outcome: DialogueOutcome, after time: Duration? = nil
    ) throws(Subject.Failure) {
        let start = now
        if let time = time ?? pace {
            now += time
            if outcome != .timedOut { dialogue.note(CommandTimes(started: start, ended: now)) }
        }
        do throws(Subject.Failure) { show(try dialogue.advance(after: outcome)) } catch {
            throw failed(error)
        }
    }

    /// The notices since the last call.
    package mutating func takeNotices() -> [Subject.Notice] {
        defer { notices = [] }
        return notices
    }

    private mutating func show(_ step: DialogueStep<Subject.Ending, Subject.Notice>) {
        notices += step.notices
        command = step.command
        switch step.command {
        case .request(_, _, _, let limit), .expect(_, let limit): limits.append(limit)
        default: break
        }
    }

    private mutating func failed(_ failure: Subject.Failure) -> Subject.Failure {
        self.failure = failure
        return failure
    }

    /// The bytes that the last command streams.
    package var packet: [UInt8]? { if case .stream(let run) = command { Array(run.bytes) } else { nil } }
    /// The result.
    package var ending: Subject.Ending? { if case .end(let ending) = command { ending } else { nil } }
}

extension PlayedDialogue where Subject.Ending == ConversationResult {
    package var completion: Completion? {
        if case .complete(let completion) = ending { completion } else { nil }
    }
    package var restart: Restart? { if case .restart(let restart) = ending { restart } else { nil } }
}
