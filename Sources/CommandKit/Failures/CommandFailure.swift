package import Bluetooth
package import Bytes
import Glibc
package import Simulation
package import Tray
import TrayJournal
import UpdateEngine
package import UpdateModel
package import Work

/// Why a command failed, for people and for scripts.
package struct CommandFailure: Error, Equatable, Sendable {
    package let code: FailureCode
    /// The step that failed, as a participle: "writing the file".
    package let during: String
    package let message: String
    package private(set) var nextStep: String
    /// What was appended to the next step.
    private var additions: [String] = []
    package let exit: ExitStatus
    /// More members of the JSON event.
    package var details: [String: JSONValue] = [:]
    /// More lines of text, printed between cause and next step.
    package var remarks: [String] = []
    /// The state in which an update has left the beacon; nil if nothing was done to it.
    fileprivate var state: DeviceState?

    /// A failure with the next step and the exit status of `code`, unless given here.
    package init(
        _ code: FailureCode, during: String, message: String, nextStep: String? = nil,
        details: [String: JSONValue] = [:], exit: ExitStatus? = nil
    ) {
        (self.code, self.during, self.message, self.details) = (code, during, message, details)
        (self.nextStep, self.exit) = (nextStep ?? code.nextStep.withOptions, exit ?? code.exit)
    }

    /// The failure with another code and message, and the same additions to the next step.
    package func replacing(_ code: FailureCode, _ message: String) -> CommandFailure {
        var other = CommandFailure(code, during: during, message: message, details: details)
        (other.remarks, other.state) = (remarks, state)
        return additions.reduce(other) { $0.adding(toNextStep: $1) }
    }

    /// The failure of a command that `--timeout` has interrupted after `seconds`.
    package func timedOut(after seconds: Int) -> CommandFailure {
        let more = message == UpdateFailure.interruption ? "" : "; \(message)"
        let late = replacing(
            .command.timedOut, "the command was not done within the \(seconds) s of --timeout" + more)
        // The advice of the interrupted update holds as well, such as not to switch the beacon off.
        let isGeneral = nextStep == additions.reduce(code.nextStep.withOptions) { "\($0); \($1)" }
        return isGeneral ? late : late.withNextStep("give a longer --timeout; \(nextStep)")
    }

    package init(_ code: FailureCode, during: String, _ problem: YAMLProblem, in path: String) {
        self.init(code, during: during, message: "\(path): \(problem)")
        remarks = problem.excerpt
        if let line = problem.line, let column = problem.column {
            details = ["line": .integer(line), "column": .integer(column)]
        }
    }

    /// A system call that failed unexpectedly.
    package init(_ error: SocketError) {
        let words = String(cString: strerror(error.errno))
        let code: FailureCode =
            switch error.errno {
            case EMFILE, ENFILE: .system.descriptorsExhausted
            // A thread gets no stack, or exceeds the limit of threads (`ulimit -u`, TasksMax of the systemd unit).
            case ENOMEM: .system.memoryLimited
            case EAGAIN where error.call == "pthread_create": .system.memoryLimited
            default: .system.internalError
            }
        let isThread = error.errno == EAGAIN && code == .system.memoryLimited
        self.init(
            code, during: "running", message: "\(error.call): \(words)",
            nextStep: isThread
                ? "raise the limit of threads (`ulimit -u`, systemd's TasksMax), then run the same command again"
                : nil)
    }

    package init(_ error: ScenarioError) {
        self.init(
            error.kind == .damaged ? .command.stateInvalid : .command.stateUnusable,
            during: "reading the simulated beacons' state", message: "\(error)")
    }

    package init(_ failure: UpdateFailure) {
        // A beacon's refusal is a failed update, even if the same error found in a file would be a bad file.
        self.init(
            failure.code, during: failure.during, message: failure.message,
            nextStep: failure.remedy?.withOptions, exit: failure.code.exit == .badFile ? .failed : nil)
        guard let state = failure.state else { return }
        self.state = state
        details[Self.stateKey] = state.value
        remarks = [state.words]
    }

    package func withNextStep(_ nextStep: String) -> CommandFailure {
        var copy = self
        copy.nextStep = nextStep
        return copy
    }

    package func adding(toNextStep more: String) -> CommandFailure {
        var copy = withNextStep(nextStep + "; " + more)
        copy.additions.append(more)
        return copy
    }

    /// The failure, with the origin of the default adapter if it is about that adapter or its scenario, and the command line
    /// names none.
    package func namingDefaultAdapter(
        unless given: AdapterChoice?, _ defaults: Defaults? = try? Defaults.own.get()
    ) -> CommandFailure {
        guard given == nil, let value = defaults?.values[.adapter] else { return self }
        let isUnusable = [.system.noAdapter, .tray.adapterSingle].contains(code)
        let isScenario =
            if case .simulated(let path?)? = AdapterChoice(argument: value.text) {
                message.hasPrefix(path + ":") || message.hasPrefix(path + " ")
            } else { false }
        guard isUnusable || isScenario else { return self }
        return adding(toNextStep: "the adapter is from \(value.origin.text)")
    }

    /// The failure, with the `options` of the user's command added to the commands in its advice.
    package func repeating(_ options: RepeatedOptions) -> CommandFailure {
        var copy = self
        copy.nextStep = options.added(to: nextStep)
        copy.remarks = remarks.map(options.added(to:))
        if case .object(var state) = details[Self.stateKey], let advice = state["advice"]?.text {
            state["advice"] = .text(options.added(to: advice))
            copy.details[Self.stateKey] = .object(state)
        }
        return copy
    }

    private static let stateKey = "device_state"

    /// The failure with the member `device_state`: null if nothing was done to the beacon.
    package func addingDeviceState() -> CommandFailure {
        var copy = self
        copy.details[Self.stateKey] = details[Self.stateKey] ?? .null
        return copy
    }

    package init(_ failure: SessionFailure) {
        self.init(
            failure.code, during: failure.during, message: failure.message,
            nextStep: failure.remedy?.withOptions ?? Self.nextStepWithoutUpdate(after: failure.code))
    }

    /// The failure for an error of the link or the adapter outside an update.
    private init(withoutUpdate error: any Error, during step: String) {
        let failure = UpdateFailure(of: error, during: step)
        self.init(failure)
        if failure.remedy == nil, let step = Self.nextStepWithoutUpdate(after: code) { nextStep = step }
    }

    /// The next step outside an update; nil for a code whose own one is not about the transfer of firmware.
    private static func nextStepWithoutUpdate(after code: FailureCode) -> String? {
        [.device.linkLost, .device.noAnswer].contains(code)
            ? "bring the beacon closer or give it fresh power, then run the same command again" : nil
    }

    package var line: JSONLine {
        JSONLine("failed", details).adding([
            "code": .text(code.rawValue), "during": .text(during), "message": .text(message),
            "next_step": .text(nextStep), "exit": .integer(exit.rawValue),
        ])
    }

    /// Prints the event, or for people two or more lines.
    package func print(on console: Console) {
        console.draw(bar: "")
        console.event(line)
        let isError = exit != .nothingToDo
        let head = console.paint(isError ? "error" : "nothing to do", isError ? .red : .green)
        console.alert("\(head) \(code), while \(during): \(message)")
        for remark in remarks { console.alert(TerminalText(remark)) }
        console.alert("next:  \(nextStep)")
    }

    package init(_ error: WorkError) {
        // This program's next steps name commands to type. Those of the work server are for codes that only it knows.
        let known = FailureCode.known(error.code.rawValue)
        let isOwn = known == nil || Self.withOwnNextStep.contains(error.code)
        self.init(
            known ?? error.code, during: error.during, message: error.message,
            nextStep: isOwn ? error.nextStep : nil)
    }

    /// Codes whose next step names a role or a database, which the table of explanations cannot.
    private static let withOwnNextStep: Set<FailureCode> = [
        .workServer.notAllowed, .workServer.rolesMissing, .workServer.createMissing,
    ]
}

extension CommandFailure {
    package init(from error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let failure as UpdateFailure: self.init(failure)
        case let failure as SessionFailure: self.init(failure)
        case is GATTError: self.init(withoutUpdate: error, during: "talking to the beacon")
        case is AdapterError: self.init(withoutUpdate: error, during: "running")
        case let error as ScenarioError: self.init(error)
        case let error as JournalError: self.init(error)
        case let error as WorkError: self.init(error)
        case let error as SocketError: self.init(error)
        case is CancellationError:
            self.init(.system.interrupted, during: "running", message: UpdateFailure.interruption)
        default: self.init(.system.internalError, during: "running", message: "\(error)")
        }
    }
}

/// Throws a failure with these values unless `isMet`.
package func require(
    _ isMet: Bool, _ code: FailureCode, during step: String, message: @autoclosure () -> String,
    nextStep: String? = nil
) throws(CommandFailure) {
    guard isMet else {
        throw CommandFailure(code, during: step, message: message(), nextStep: nextStep)
    }
}

extension UnitVerdict {
    package init(_ error: any Error) {
        let failure = CommandFailure(from: error)
        self.init(
            failure.code.unitOutcome(exiting: failure.exit), code: failure.code,
            during: failure.during, message: failure.message,
            nextStep: failure.nextStep, state: failure.state.map(UnitState.init))
    }

    /// The verdict with `options` in the commands of its next step and its state, as the terminal shows them.
    package func repeating(_ options: RepeatedOptions) -> UnitVerdict {
        var copy = self
        copy.nextStep = nextStep.map(options.added(to:))
        if let state { copy.state?.words = options.added(to: state.words) }
        return copy
    }
}
