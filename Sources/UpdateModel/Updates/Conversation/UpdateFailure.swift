/// Why an update has failed: code, step and cause.
public struct UpdateFailure: Error, Equatable, Sendable {
    /// The kind of failure.
    public let code: FailureCode
    /// The step in progress.
    public let during: String
    /// The cause in one line.
    public let message: String
    /// Whether a new link may help, because the current one no longer responds.
    public let mayReconnect: Bool
    /// Advice for this package and this device; nil to use the code's general advice.
    public let remedy: Advice?
    /// The state of the unit; nil if nothing was done to it.
    public let state: DeviceState?

    /// A failure `code` of the step `during`.
    public init(
        _ code: FailureCode, during: String, message: String, remedy: Advice? = nil,
        mayReconnect: Bool = false, state: DeviceState? = nil
    ) {
        self.code = code
        self.during = during
        self.message = message
        self.mayReconnect = mayReconnect
        self.remedy = remedy
        self.state = state
    }

    /// The failure with another remedy.
    public func advising(_ remedy: Advice) -> UpdateFailure {
        UpdateFailure(
            code, during: during, message: message, remedy: remedy, mayReconnect: mayReconnect, state: state)
    }

    /// The failure with the state of the unit.
    public func leaving(_ state: DeviceState?) -> UpdateFailure {
        UpdateFailure(
            code, during: during, message: message, remedy: remedy, mayReconnect: mayReconnect, state: state)
    }
}
