package import Tray

/// A unit as the page shows it.
package struct PageUnit: Hashable, Sendable {
    /// The label of its slot, unique in a bench.
    package var slot: String
    /// Its address with its kind after a slash; nil until it was heard.
    package var address: String?
    /// The name that it advertises, as it came from the air.
    package var name: String?
    /// The vendor's own id.
    package var identifier: String?
    package var model: String?
    /// Whether it is the golden unit, which has to pass before the others start.
    package var isGolden = false
    package var status = UnitStatus.waiting
    /// The phase of its update, by the names of `flash --json`; nil while it is not at work.
    package var phase: String?
    /// The share of its firmware that was sent, from 0 to 1; nil if none was to be sent.
    package var share: Double?
    /// The rate over the last second, while firmware is sent.
    package var bytesPerSecond: Double?
    /// Seconds until its firmware has been sent.
    package var secondsLeft: Double?
    /// The number of attempts begun.
    package var attempts = 0
    /// Whether the first attempt that reflects the unit passed.
    package var passedFirst: Bool?
    /// Its outcome before it was tried again, which counts until there is another result.
    package var outcomeBefore: Outcome?
    /// The adapter of the latest attempt.
    package var adapter: String?
    package var versionBefore: String?
    /// The version after the update; while it is at work, the version to install.
    package var version: String?
    /// The stable code of the reason why it is not on its firmware.
    package var code: String?
    /// The cause in one line.
    package var cause: String?
    /// Advice for the user.
    package var nextStep: String?
    /// The unit's state, if `status` alone does not define it.
    package var stateWords: String?

    /// A unit with only its slot.
    package init(slot: String) { self.slot = slot }

    /// Its outcome, or its outcome before another try; nil if it never had one.
    var settled: Outcome? {
        guard let outcome = status.outcome, outcome.isOfUnit else { return outcomeBefore }
        return outcome
    }

    /// The last two bytes of its address, for example `0C:2F`.
    package var lastFour: String? {
        guard let short = address?.prefix(while: { $0 != "/" }) else { return nil }
        return short.utf8.count == 17 ? String(short.suffix(5)) : String(short.suffix(6))
    }
}
