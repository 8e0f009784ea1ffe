import Sessions
import UpdateCore

/// When things happened in a conversation, for what can be learned from it.
struct ConversationTiming: Equatable, Sendable {
    /// The present, as far as is known.
    private(set) var now = Duration.zero
    /// When the last command began.
    private(set) var began = Duration.zero
    /// When the last request began.
    private(set) var asked = Duration.zero
    /// When the last answer came.
    private(set) var answered = Duration.zero
    /// How long the last answer took from the moment at which its request had arrived; nil where nobody tells the
    /// time.
    private(set) var wait: Duration?
    /// Whether that was the moment at which it came, and not one at which it had been here for a while.
    private(set) var wasTimely = false
    /// Whether the last command was a request.
    private var isAsked = false
    /// When all packets of the object were known to have arrived.
    private var arrived: Duration?

    /// The last request and its answer, which is here.
    var exchange: Exchange { Exchange(asked: asked, answered: now) }

    /// At once, for a clock that shows a little between two events of the same moment.
    private static let atOnce = Duration.milliseconds(1)

    /// Whether somebody tells the time.
    var isKnown: Bool { wait != nil }

    /// Whether the last answer came only after somebody had waited for it.
    var hasWaited: Bool { wait.map { $0 > Self.atOnce } ?? false }

    /// How long the device has been at an object since all of it had arrived, if the last answer waited for that.
    var flashTime: Duration? {
        guard let arrived, hasWaited else { return nil }
        return answered - arrived
    }

    /// A command was carried out. The result is how long its answer took, if it left right after another one.
    mutating func note(_ times: CommandTimes) -> Duration? {
        began = max(now, times.started)
        now = max(now, times.ended)
        isAsked = times.acknowledged != nil
        if isAsked { asked = began }
        wait = times.ended - (times.acknowledged ?? times.started)
        let isBackToBack =
            wasTimely && times.acknowledged != nil && times.started - answered < Self.atOnce
        return isBackToBack ? times.ended - times.started : nil
    }

    /// An answer is here.
    mutating func noteAnswer() {
        answered = now
        wasTimely = isAsked || hasWaited
    }

    /// A rest is over: it ends at `moment`, whoever tells the time.
    mutating func noteRest(until moment: Duration) {
        now = max(now, moment)
        began = now
    }

    /// An object has begun.
    mutating func noteBeginning() { arrived = nil }

    /// An answer did not come: how long the device has been at something is not known.
    mutating func noteSilence() { arrived = nil }

    /// All packets of the object have arrived.
    mutating func noteArrival() { arrived = now }
}
