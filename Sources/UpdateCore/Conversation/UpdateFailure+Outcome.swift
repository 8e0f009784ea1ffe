public import Sessions

extension UpdateFailure {
    /// What became of a command does not belong to the `state` in which a dialogue has asked for it.
    public static func misplaced(
        _ outcome: DialogueOutcome, in state: some Sendable, during step: String
    ) -> UpdateFailure {
        UpdateFailure(
            .unexpectedAnswer, during: step, message: "the outcome \(outcome) does not belong to \(state)")
    }
}
