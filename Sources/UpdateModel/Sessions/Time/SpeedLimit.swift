/// What a session's time is spent on, and so what limits its speed.
public enum SpeedLimit: String, CaseIterable, Sendable {
    /// The link.
    case air
    /// Waiting for the device's flash.
    case flash
    /// Waiting for responses.
    case answers
    /// Repetitions.
    case retries
}
