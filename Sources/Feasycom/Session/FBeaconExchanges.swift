package import UpdateModel

/// Several commands to a Feasycom beacon's AT engine, one after another (fbeacon.md, Commands).
package struct FBeaconExchanges: Dialogue {
    /// The values, in the order of the commands; nil for a command without one, or one that was refused and is
    /// optional.
    package typealias Ending = [String?]

    struct Question: Sendable {
        let command: FBeaconCommand
        /// Whether a beacon that lacks the feature may refuse.
        var mayBeRefused = false
        let step: String
    }

    private let questions: [Question]
    private var answers: [String?] = []
    private var exchange: FBeaconExchange?
    private var link = LinkFacts(maximumWriteLength: 20)

    init(_ questions: [Question]) { self.questions = questions }

    package mutating func begin(on link: LinkFacts) throws(SessionFailure) -> DialogueStep<[String?], Never> {
        (answers, self.link) = ([], link)
        return try next()
    }

    package mutating func note(_ times: CommandTimes) { exchange?.note(times) }

    package mutating func advance(
        after outcome: DialogueOutcome
    ) throws(SessionFailure) -> DialogueStep<[String?], Never> {
        guard var exchange, answers.count < questions.count else { return DialogueStep(.end(answers)) }
        do throws(SessionFailure) {
            let step = try exchange.advance(after: outcome)
            self.exchange = exchange
            return try follow(step)
        } catch {
            guard questions[answers.count].mayBeRefused, error.code == .session.refusedByDevice else {
                throw error
            }
            answers.append(nil)
            return try next()
        }
    }

    private mutating func next() throws(SessionFailure) -> DialogueStep<[String?], Never> {
        guard answers.count < questions.count else { return DialogueStep(.end(answers)) }
        let question = questions[answers.count]
        var exchange = FBeaconExchange(question.command, during: question.step)
        let step = exchange.begin(on: link)
        self.exchange = exchange
        return try follow(step)
    }

    private mutating func follow(
        _ step: DialogueStep<String?, Never>
    ) throws(SessionFailure) -> DialogueStep<[String?], Never> {
        DialogueStep(
            try step.command.asPart { (answer) throws(SessionFailure) in
                answers.append(answer)
                return try next().command
            })
    }
}
