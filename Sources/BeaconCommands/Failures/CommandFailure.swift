import UpdateCore

/// Why a command ends without success, as people and scripts get to see it.
struct CommandFailure: Error, Equatable, Sendable {
    /// A stable code, in kebab case.
    let code: String
    /// The step that was under way.
    let during: String
    /// The cause in one line.
    let message: String
    /// What a person can do next.
    let nextStep: String
    /// What the program exits with.
    let exit: ExitStatus
    /// More members of the JSON event.
    var details: [String: JSONValue] = [:]
    /// More lines for people, between cause and next step.
    var remarks: [String] = []

    /// A failure that the table of explanations knows.
    init(
        _ code: String, during: String, message: String, nextStep: String? = nil,
        details: [String: JSONValue] = [:], exit: ExitStatus? = nil
    ) {
        let entry = Explanation.of(code)
        self.code = code
        self.during = during
        self.message = message
        self.nextStep = nextStep ?? entry.nextStep
        self.details = details
        self.exit = exit ?? entry.exit
    }

    init(_ failure: UpdateFailure) {
        let code = failure.code.rawValue
        // What a device refuses is a failed update, also where the same flaw of a file would be a bad file.
        let isAboutFile = Explanation.of(code).exit == .badFile
        self.init(
            code, during: failure.during, message: failure.message, nextStep: failure.remedy,
            exit: isAboutFile ? .failed : nil)
        guard let state = failure.state else { return }
        details[Self.stateKey] = state.value
        remarks = [state.words]
    }

    private static let stateKey = "device_state"

    /// The same, which says that nothing was done to a device where it says nothing of that.
    func tellingState() -> CommandFailure {
        var told = self
        told.details[Self.stateKey] = details[Self.stateKey] ?? .null
        return told
    }
}
