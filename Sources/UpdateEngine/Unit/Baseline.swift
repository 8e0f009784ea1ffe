import UpdateModel

/// The state of a unit before its update.
struct Baseline: Sendable {
    /// The application's version text; nil if it has none or was not asked.
    var revision: Revision?
    /// The version text of a program that may be a bootloader or an application.
    var revisionOfEither: Revision?
    /// The version in the unit's advertisements.
    var advertisedVersion: String?
    /// The program that takes the update, as first detected; nil before that.
    var receiver: Receiver?

    /// The version text to compare with that of a program detected as `found`.
    func revision(of found: Receiver?) -> Revision? { found == .either ? revisionOfEither : revision }

    /// Whether the version text of a program detected as `found` has changed.
    func differs(from shown: Revision?, of found: Receiver) -> Bool {
        guard let shown, let before = revision(of: found) else { return false }
        return shown.text != before.text
    }
}
