package import Work

extension CommandFailure {
    /// The failure of a request to the work server.
    package init(_ error: WorkError) {
        // This program knows what a person can type. The next step of the work server is for codes that this
        // program does not know.
        let known = Explanation.known(error.code)?.nextStep
        let own = Self.oneByOne.contains(error.code) ? error.nextStep : nil
        self.init(
            error.code, during: error.during, message: error.message, nextStep: own ?? known ?? error.nextStep
        )
    }

    /// Codes whose next step names a role or a database, which the table of explanations cannot.
    private static let oneByOne: Set = [
        "engine-not-allowed", "engine-roles-missing", "engine-create-missing",
    ]
}
