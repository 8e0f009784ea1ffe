import WorkOrders

extension CommandFailure {
    /// An engine that has not done what it was asked.
    init(_ error: WorkError) {
        // What a person can type is this program's to say; the engine's own words stand for codes that it does not know.
        let known = Explanation.known(error.code)?.nextStep
        let own = Self.oneByOne.contains(error.code) ? error.nextStep : nil
        self.init(
            error.code, during: error.during, message: error.message, nextStep: own ?? known ?? error.nextStep
        )
    }

    /// What is to be done names a role or a database, which the table of explanations cannot.
    private static let oneByOne: Set = [
        "engine-not-allowed", "engine-roles-missing", "engine-create-missing",
    ]
}
