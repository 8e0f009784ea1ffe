/// What the time of a session goes into, and so what sets its speed.
public enum SpeedLimit: String, CaseIterable, Sendable {
    /// The link.
    case air
    /// Waiting for the device's flash.
    case flash
    /// Waiting for answers.
    case answers
    /// Sending again.
    case retries
}
