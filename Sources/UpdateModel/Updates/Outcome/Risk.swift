/// A check that the user may override, by its name in `--force`.
public enum Risk: String, CaseIterable, Sendable {
    /// The requested bank may be that of the running image.
    case runningBank = "running-bank"
    /// The device already reports this version.
    case sameVersion = "same-version"
    /// The application reports a higher version.
    case lowerVersion = "lower-version"
    /// The device names a chip of another family; that text may be wrong.
    case wrongFamily = "wrong-family"
    /// The application's version is unchanged, and the start of the new image was not acknowledged: nothing shows
    /// which one runs.
    case unchangedVersion = "unchanged-version"
    /// The catalogue is older than another one seen: it may contain releases withdrawn since.
    case olderCatalogue = "older-catalogue"
}
