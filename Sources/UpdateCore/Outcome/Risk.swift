/// What somebody may ask for although the device speaks against it, by its name in `--force`.
public enum Risk: String, CaseIterable, Sendable {
    /// The bank that was asked for may be the running image's.
    case runningBank = "running-bank"
    /// The device says that it has this version already.
    case sameVersion = "same-version"
    /// The application says that it has a higher version.
    case lowerVersion = "lower-version"
    /// The device names a chip of another family; its text may be wrong.
    case wrongFamily = "wrong-family"
    /// The application calls its firmware as before, and has not acknowledged that it starts the new image: nothing
    /// shows which one runs.
    case unchangedVersion = "unchanged-version"
    /// The catalogue was signed before another one that was seen: what was withdrawn since may be in it.
    case olderCatalogue = "older-catalogue"
}
