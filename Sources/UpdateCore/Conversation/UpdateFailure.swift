public import FirmwareModel

/// Why an update has failed: what, during what, and in words.
public struct UpdateFailure: Error, Equatable, Sendable {
    /// Which way to fail.
    public let code: FailureCode
    /// The step that was under way.
    public let during: String
    /// The cause in one line.
    public let message: String
    /// Whether a new link may help, because the old one has fallen silent.
    public let mayReconnect: Bool
    /// What a person can do about it with this package and this device; nil leaves that to the code.
    public let remedy: Advice?
    /// What the unit is now; nil where nothing was done to it.
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

    /// The same with another remedy.
    public func advising(_ remedy: Advice) -> UpdateFailure {
        UpdateFailure(
            code, during: during, message: message, remedy: remedy, mayReconnect: mayReconnect, state: state)
    }

    /// The same, which leaves the unit in `state`.
    public func leaving(_ state: DeviceState?) -> UpdateFailure {
        UpdateFailure(
            code, during: during, message: message, remedy: remedy, mayReconnect: mayReconnect, state: state)
    }
}
