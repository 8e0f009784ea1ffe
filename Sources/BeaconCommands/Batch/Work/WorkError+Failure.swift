import WorkOrders

extension CommandFailure {
    /// An engine that has not done what it was asked.
    init(_ error: WorkError) {
        // What a person can type is this program's to say; the engine's own words stand for codes that it does not know.
        let known = Explanation.known(error.code)?.nextStep
        self.init(
            error.code, during: error.during, message: error.message, nextStep: known ?? error.nextStep)
    }
}
