import Glibc
import PacketSockets
import SimulatedRadio
import UpdateCore
import YAMLText

/// Why a command failed, for people and for scripts.
package struct CommandFailure: Error, Equatable, Sendable {
    /// A stable code, in kebab case.
    package let code: String
    /// The step that was under way.
    package let during: String
    /// The cause in one line.
    package let message: String
    /// What a person can do next.
    package private(set) var nextStep: String
    /// What the program exits with.
    package let exit: ExitStatus
    /// More members of the JSON event.
    package var details: [String: JSONValue] = [:]
    /// More lines for people, between cause and next step.
    package var remarks: [String] = []

    /// A failure that the table of explanations knows.
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

    /// The same end, under another code of the table.
    package func becoming(_ code: String, _ message: String) -> CommandFailure {
        CommandFailure(code, during: during, message: message, details: details)
    }

    /// A problem in the YAML file at `path`.
    init(_ code: String, during: String, _ problem: YAMLProblem, in path: String) {
        self.init(code, during: during, message: "\(path): \(problem)")
        remarks = problem.excerpt
        if let line = problem.line, let column = problem.column {
            details = ["line": .integer(line), "column": .integer(column)]
        }
    }

    /// A system call that failed unexpectedly.
    init(_ error: SocketError) {
        let words = String(cString: strerror(error.errno))
        let code =
            switch error.errno {
            case EMFILE, ENFILE: "descriptors-exhausted"
            // A thread gets no stack, or is one too many (`ulimit -u`, a limit of the unit).
            case ENOMEM: "memory-limited"
            case EAGAIN where error.call == "pthread_create": "memory-limited"
            default: "internal-error"
            }
        let isThread = error.errno == EAGAIN && code == "memory-limited"
        self.init(
            code, during: "running", message: "\(error.call): \(words)",
            nextStep: isThread
                ? "raise the limit of threads (`ulimit -u`, TasksMax of the unit), then run the same command again"
                : nil)
    }

    /// Simulated beacons whose state cannot be used.
    init(_ error: ScenarioError) {
        self.init(
            error.kind == .damaged ? "state-invalid" : "state-unusable",
            during: "reading the simulated beacons' state", message: "\(error)")
    }

    init(_ failure: UpdateFailure) {
        let code = failure.code.rawValue
        // What a device refuses is a failed update, even where the same flaw found in a file would be a bad file.
        let isAboutFile = Explanation.of(code).exit == .badFile
        self.init(
            code, during: failure.during, message: failure.message, nextStep: failure.remedy?.withOptions,
            exit: isAboutFile ? .failed : nil)
        guard let state = failure.state else { return }
        details[Self.stateKey] = state.value
        remarks = [state.words]
    }

    /// The failure, with `more` to know for the next step.
    package func adding(toNextStep more: String) -> CommandFailure {
        var told = self
        told.nextStep += "; " + more
        return told
    }

    private static let stateKey = "device_state"

    /// The failure with a null state of the device unless it has one: nothing was done to the device.
    package func tellingState() -> CommandFailure {
        var told = self
        told.details[Self.stateKey] = details[Self.stateKey] ?? .null
        return told
    }
}
