import ArgumentParser

/// A risk that the user takes by name: `--force`.
enum ForcedRisk: String, CaseIterable, ExpressibleByArgument {
    /// The bank that was asked for may be the running image's.
    case runningBank = "running-bank"
    /// The device says that it runs this version already.
    case sameVersion = "same-version"
    /// The device names a chip of another family.
    case wrongFamily = "wrong-family"
}
