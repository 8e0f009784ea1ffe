public import Tray

/// A unit as the page shows it.
public struct PageUnit: Hashable, Sendable {
    /// The label of its place. No two units of a bench have the same.
    public var slot: String
    /// Its address with its kind after a slash; nil until it was heard.
    public var address: String?
    /// The name that it advertises, as it came from the air.
    public var name: String?
    /// The vendor's own id.
    public var identifier: String?
    /// The model.
    public var model: String?
    /// Whether it has to pass before the others are begun.
    public var isGolden = false
    /// How it stands.
    public var standing = UnitStatus.waiting
    /// The phase of its update, by the names of `flash --json`; nil while it is not at work.
    public var phase: String?
    /// How much of its firmware was sent, from 0 to 1; nil where nothing was to be sent.
    public var share: Double?
    /// Over the last second, while firmware is sent.
    public var bytesPerSecond: Double?
    /// Until its firmware has been sent.
    public var secondsLeft: Double?
    /// How many attempts were begun.
    public var attempts = 0
    /// Whether the first attempt that says something of the unit was good.
    public var passedFirst: Bool?
    /// What it had come to before somebody gave it another try, as long as there is no other result: it counts as that.
    public var outcomeBefore: Outcome?
    /// The adapter of the latest attempt.
    public var adapter: String?
    /// The version before.
    public var versionBefore: String?
    /// The version that it was seen with afterwards; while it is at work, what it gets.
    public var version: String?
    /// The stable code of why it is not on its firmware.
    public var code: String?
    /// The cause in one line.
    public var cause: String?
    /// What a person can do next.
    public var nextStep: String?
    /// What the unit is now, where that is not simply what `standing` says.
    public var stateWords: String?

    /// A unit of which nothing is known but its place.
    public init(slot: String) { self.slot = slot }

    /// What it has come to, or had before another try; nil where it never has.
    var settled: Outcome? {
        guard let outcome = standing.outcome, outcome.isOfUnit else { return outcomeBefore }
        return outcome
    }

    /// The last two bytes of its address, as `0C:2F`.
    public var lastFour: String? {
        guard let short = address?.prefix(while: { $0 != "/" }) else { return nil }
        return short.utf8.count == 17 ? String(short.suffix(5)) : String(short.suffix(6))
    }
}
