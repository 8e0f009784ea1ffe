package import Bluetooth
package import Bytes
import Glibc
package import Simulation
package import UpdateModel

/// Why a command failed, for people and for scripts.
package struct CommandFailure: Error, Equatable, Sendable {
    /// A stable code, in kebab case.
    package let code: String
    /// The step that failed, as a participle: "writing the file".
    package let during: String
    /// The cause in one line.
    package let message: String
    /// What the user can do next.
    package private(set) var nextStep: String
    /// The program's exit code.
    package let exit: ExitStatus
    /// More members of the JSON event.
    package var details: [String: JSONValue] = [:]
    /// More lines of text, printed between cause and next step.
    package var remarks: [String] = []

    /// A failure with the next step and exit code of `code` in the table of explanations, unless given here.
    package init(
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

    /// The same step and details, with another code of the table.
    package func becoming(_ code: String, _ message: String) -> CommandFailure {
        CommandFailure(code, during: during, message: message, details: details)
    }

    /// A problem in the YAML file at `path`.
    package init(_ code: String, during: String, _ problem: YAMLProblem, in path: String) {
        self.init(code, during: during, message: "\(path): \(problem)")
        remarks = problem.excerpt
        if let line = problem.line, let column = problem.column {
            details = ["line": .integer(line), "column": .integer(column)]
        }
    }

    /// A system call that failed unexpectedly.
    package init(_ error: SocketError) {
        let words = String(cString: strerror(error.errno))
        let code =
            switch error.errno {
            case EMFILE, ENFILE: "descriptors-exhausted"
            // A thread gets no stack, or exceeds the limit of threads (`ulimit -u`, TasksMax of the systemd unit).
            case ENOMEM: "memory-limited"
            case EAGAIN where error.call == "pthread_create": "memory-limited"
            default: "internal-error"
            }
        let isThread = error.errno == EAGAIN && code == "memory-limited"
        self.init(
            code, during: "running", message: "\(error.call): \(words)",
            nextStep: isThread
                ? "raise the limit of threads (`ulimit -u`, systemd's TasksMax), then run the same command again"
                : nil)
    }

    /// The state of simulated beacons cannot be used.
    package init(_ error: ScenarioError) {
        self.init(
            error.kind == .damaged ? "state-invalid" : "state-unusable",
            during: "reading the simulated beacons' state", message: "\(error)")
    }

    package init(_ failure: UpdateFailure) {
        let code = failure.code.rawValue
        // A beacon's refusal is a failed update, even if the same error found in a file would be a bad file.
        let isAboutFile = Explanation.of(code).exit == .badFile
        self.init(
            code, during: failure.during, message: failure.message, nextStep: failure.remedy?.withOptions,
            exit: isAboutFile ? .failed : nil)
        guard let state = failure.state else { return }
        details[Self.stateKey] = state.value
        remarks = [state.words]
    }

    /// The failure, with `more` appended to the next step.
    package func adding(toNextStep more: String) -> CommandFailure {
        var told = self
        told.nextStep += "; " + more
        return told
    }

    private static let stateKey = "device_state"

    /// The failure with `device_state` null unless it has one: nothing was done to the beacon.
    package func tellingState() -> CommandFailure {
        var told = self
        told.details[Self.stateKey] = details[Self.stateKey] ?? .null
        return told
    }
}

extension CommandFailure {
    package init(_ failure: SessionFailure) {
        self.init(failure.code.rawValue, during: failure.during, message: failure.message)
    }
}
