import UpdateCore

/// What a unit was before its update began.
struct Baseline: Sendable {
    /// What the application called its firmware; nil when it did not say or was not asked.
    var revision: Revision?
    /// What a program that may be a bootloader or an application called its firmware.
    var revisionOfEither: Revision?
    /// What the unit advertised of its firmware's version.
    var advertisedVersion: String?
    /// Which program takes the update, by what it showed first; nil before it has shown anything.
    var receiver: Receiver?

    /// What was read in the place of `revision`, which a program that is `found` shows.
    func revision(of found: Receiver?) -> Revision? { found == .either ? revisionOfEither : revision }

    /// Whether a program that is `found` shows another text than before.
    func differs(from shown: Revision?, of found: Receiver) -> Bool {
        guard let shown, let before = revision(of: found) else { return false }
        return shown.text != before.text
    }
}
