/// Why an update has failed: code, step and cause.
public struct UpdateFailure: Error, Equatable, Sendable {
    public let code: FailureCode
    /// The step in progress.
    public let during: String
    /// The cause in one line.
    public let message: String
    /// Whether a new link may help, because the current one no longer responds.
    public let mayReconnect: Bool
    /// The next step for this package and this device; nil for that of the code (`FailureCode.nextStep`).
    ///
    /// `UnitUpdate` replaces it by the procedure's advice, if there is any (``UpdateProcedure/remedy(for:)``).
    /// `CommandFailure` prints it as the next step, and otherwise that of the code.
    public let remedy: Advice?
    /// The state of the unit; nil if nothing was done to it.
    public let state: DeviceState?

    public init(
        _ code: FailureCode, during: String, message: String, remedy: Advice? = nil,
        mayReconnect: Bool = false, state: DeviceState? = nil
    ) {
        (self.code, self.during, self.message) = (code, during, message)
        (self.mayReconnect, self.remedy, self.state) = (mayReconnect, remedy, state)
    }

    public func advising(_ remedy: Advice) -> UpdateFailure {
        UpdateFailure(
            code, during: during, message: message, remedy: remedy, mayReconnect: mayReconnect, state: state)
    }

    public func leaving(_ state: DeviceState?) -> UpdateFailure {
        UpdateFailure(
            code, during: during, message: message, remedy: remedy, mayReconnect: mayReconnect, state: state)
    }

    /// A failure before anything is sent.
    package static func preparing(
        _ code: FailureCode, _ message: String, remedy: Advice? = nil
    ) -> UpdateFailure {
        UpdateFailure(code, during: "preparing", message: message, remedy: remedy)
    }

    /// The failure if the outcome of a command does not match the `state` of the dialogue that gave it.
    public static func misplaced(
        _ outcome: DialogueOutcome, in state: some Sendable, during step: String
    ) -> UpdateFailure {
        UpdateFailure(
            .device.unexpectedAnswer, during: step,
            message: "outcome \(outcome) is unexpected in state \(state)")
    }
}

extension UpdateFailure {
    /// The failure of an update for a failed session within it.
    public init(_ failure: SessionFailure) {
        self.init(
            failure.code, during: failure.during, message: failure.message, remedy: failure.remedy,
            mayReconnect: failure.mayReconnect)
    }
}
