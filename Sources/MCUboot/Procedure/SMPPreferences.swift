package import UpdateModel

/// When an image that was installed is made permanent.
package enum Confirmation: String, CaseIterable, Sendable {
    /// After the restart, once the beacon reports that the image runs. Until then, a restart undoes a bad image.
    case afterCheck = "after-check"
    /// Before the restart: there is no way back.
    case now
    /// Never: the next restart undoes the update unless the firmware confirms itself.
    case test
}

/// The user's options for an update over SMP.
package struct SMPPreferences: Hashable, Sendable {
    package var confirmation = Confirmation.afterCheck
    /// Whether the beacon's settings and bonds are erased before the restart.
    package var erasesStorage = false
    /// The maximum number of upload requests under way; nil for as many as the beacon has buffers for.
    package var window: Int?
    /// The version text that the beacon has to report; nil for the image's version.
    package var versionText: String?
    package var risks: Set<Risk> = []

    package init() {}
}
