import BluetoothTypes
import Radio
import UpdateCore

/// The look at what came up, within the patience that the procedure asks for.
struct Verifying: Sendable {
    /// What is waited for.
    enum Step: Sendable {
        case searching
        case looking(Advertisement)
        /// Nobody was heard where the application may be: who else came up has to be known.
        case overhearing
        /// The only one who came up elsewhere is looked at.
        case assuming(Advertisement)
        case resting
    }

    let completion: Completion
    /// Whether the device ended the link by itself.
    let hasLeft: Bool
    /// The link was lost over which it was told to restart, so it may not have heard that.
    let isLost: Bool
    var deadline: Duration
    var step = Step.searching
    /// How often the program that takes the update was seen again.
    var receiverSightings = 0
    /// Something was heard that did not show what it runs.
    var isUndecided = false
    /// How often it advertised another version than the promised one, and how often none, where one can be advertised.
    var otherVersions = 0
    var unversioned = 0

    /// The application that a link has shown, while its frames are waited for.
    var found: Program?

    /// Whether nothing was seen before.
    var isFirstSighting: Bool {
        receiverSightings == 0 && !isUndecided && otherVersions == 0 && unversioned == 0 && found == nil
    }
}
