import Bluetooth
import UpdateModel

/// The verification of the result, within the timeout of the procedure.
struct Verifying: Sendable {
    /// What to wait for.
    enum Step: Sendable {
        case searching
        case looking(Advertisement)
        /// Nothing was heard where the application may be: search for new devices.
        case overhearing
        /// Probing the only new device elsewhere.
        case assuming(Advertisement)
        case resting
    }

    let completion: Completion
    /// Whether the device ended the link by itself.
    let hasLeft: Bool
    /// The link with the restart request was lost, so the request may not have arrived.
    let isLost: Bool
    var deadline: Duration
    var step = Step.searching
    /// How often the program that takes the update was seen again.
    var receiverSightings = 0
    /// Something was heard whose program is unknown.
    var isUndecided = false
    /// How often it advertised another version than expected, and how often none, if it can advertise one.
    var otherVersions = 0
    var unversioned = 0

    /// The application seen over a link, while its frames are awaited.
    var found: Program?

    /// Whether nothing was seen yet.
    var isFirstSighting: Bool {
        receiverSightings == 0 && !isUndecided && otherVersions == 0 && unversioned == 0 && found == nil
    }
}
