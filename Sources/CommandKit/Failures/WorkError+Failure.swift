import UpdateModel
package import Work

extension CommandFailure {
    /// The failure of a request to the work server.
    package init(_ error: WorkError) {
        // This program knows what a person can type. The next step of the work server is for codes that this
        // program does not know.
        let known = FailureCode.known(error.code.rawValue)
        let isOwn = known == nil || Self.oneByOne.contains(error.code)
        self.init(
            known ?? error.code, during: error.during, message: error.message,
            nextStep: isOwn ? error.nextStep : nil)
    }

    /// Codes whose next step names a role or a database, which the table of explanations cannot.
    private static let oneByOne: Set<FailureCode> = [
        .workServer.notAllowed, .workServer.rolesMissing, .workServer.createMissing,
    ]
}
