import FirmwareModel
import UpdateCore

extension UpdateFailure {
    /// What is found before anything is written.
    static func preparing(_ code: String, _ message: String, remedy: Advice? = nil) -> UpdateFailure {
        UpdateFailure(FailureCode(rawValue: code), during: "preparing", message: message, remedy: remedy)
    }

    /// What a device is refused for, or refuses with, when it is to enter.
    static func entering(
        _ code: String, _ message: String, remedy: Advice? = nil, mayReconnect: Bool = false
    ) -> UpdateFailure {
        UpdateFailure(
            FailureCode(rawValue: code), during: "entering the upgrade", message: message, remedy: remedy,
            mayReconnect: mayReconnect)
    }
}
