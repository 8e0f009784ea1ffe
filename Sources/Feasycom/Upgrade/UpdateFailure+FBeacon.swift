import UpdateModel

extension UpdateFailure {
    /// A failure before anything is written.
    static func preparing(_ code: String, _ message: String, remedy: Advice? = nil) -> UpdateFailure {
        UpdateFailure(FailureCode(rawValue: code), during: "preparing", message: message, remedy: remedy)
    }

    /// A failure while the device is told to enter, by this program or the device.
    static func entering(
        _ code: String, _ message: String, remedy: Advice? = nil, mayReconnect: Bool = false
    ) -> UpdateFailure {
        UpdateFailure(
            FailureCode(rawValue: code), during: "entering the upgrade", message: message, remedy: remedy,
            mayReconnect: mayReconnect)
    }
}
