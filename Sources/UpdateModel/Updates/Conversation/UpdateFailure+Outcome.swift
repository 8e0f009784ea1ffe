extension UpdateFailure {
    /// The outcome of a command does not match the `state` in which a dialogue has requested it.
    public static func misplaced(
        _ outcome: DialogueOutcome, in state: some Sendable, during step: String
    ) -> UpdateFailure {
        UpdateFailure(
            .unexpectedAnswer, during: step, message: "outcome \(outcome) is unexpected in state \(state)")
    }
}
