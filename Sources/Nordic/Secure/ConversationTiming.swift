import UpdateModel

/// The times of commands, requests and responses on a link.
struct ConversationTiming: Equatable, Sendable {
    /// The end of the last command, or of a later pause.
    private(set) var now = Duration.zero
    /// The beginning of the last command.
    private(set) var began = Duration.zero
    /// The beginning of the last request.
    private(set) var asked = Duration.zero
    /// When the last response came.
    private(set) var answered = Duration.zero
    /// The time from the acknowledgement of the last request to its response; nil if times are unknown.
    private(set) var wait: Duration?
    /// Whether the last response was received as it arrived, not later from a buffer.
    private(set) var wasTimely = false
    private var isAsked = false
    /// When Create of the data object was sent; nil if it was repeated, or sent over an earlier link.
    private var created: Duration?
    private var arrived: Duration?

    var exchange: Exchange { Exchange(asked: asked, answered: now) }

    /// Zero, with a tolerance for clocks that advance slightly between two simultaneous events.
    private static let atOnce = Duration.milliseconds(1)

    var isKnown: Bool { wait != nil }

    var hasWaited: Bool { wait.map { $0 > Self.atOnce } ?? false }

    /// The time from the arrival of a whole object to the last response, if that response waited for the flash.
    var flashTime: Duration? {
        guard let arrived, hasWaited else { return nil }
        return answered - arrived
    }

    /// The time from sending Create to the response to Execute, in which the flash erased and wrote the whole object.
    var objectTime: Duration? { isKnown ? created.map { answered - $0 } : nil }

    /// Records the times of a command; returns its duration if it is a request sent right after a response.
    mutating func note(_ times: CommandTimes) -> Duration? {
        began = max(now, times.started)
        now = max(now, times.ended)
        isAsked = times.acknowledged != nil
        if isAsked { asked = began }
        wait = times.ended - (times.acknowledged ?? times.started)
        let isBackToBack = wasTimely && times.acknowledged != nil && times.started - answered < Self.atOnce
        return isBackToBack ? times.ended - times.started : nil
    }

    mutating func noteAnswer() {
        answered = now
        wasTimely = isAsked || hasWaited
    }

    /// Records a pause that ended at `moment`.
    mutating func noteRest(until moment: Duration) {
        now = max(now, moment)
        began = now
    }

    /// Records the response to Create. `isMeasured`: no earlier Create can have erased the page already.
    mutating func noteCreate(isMeasured: Bool) { (created, arrived) = (isMeasured ? asked : nil, nil) }

    /// Records a missing response, after which the duration of the device's work is unknown.
    mutating func noteSilence() { (created, arrived) = (nil, nil) }

    mutating func noteArrival() { arrived = now }
}

/// Times of a request and its response, by our clock.
struct Exchange: Equatable, Sendable {
    let asked: Duration
    let answered: Duration
}
