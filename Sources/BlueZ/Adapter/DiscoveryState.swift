import Timing

/// The discovery that all listeners of an adapter share: the kernel has one at a time for all programs.
struct DiscoveryState: Sendable {
    /// How long one discovery runs before the next: the kernel passes a beacon's report on once a discovery,
    /// so one that rotates its frames shows another frame each time. The first ones are short: a report that
    /// comes before the kernel has noted that discovery is on is dropped, and not repeated in that discovery.
    /// The last length stays.
    static let lengths: [Duration] = [
        .milliseconds(300), .milliseconds(300), .milliseconds(400), .seconds(1), .seconds(2), .seconds(4),
    ]
    /// How long it goes on without listeners, so that one that begins soon after finds it running.
    static let lingering = Duration.seconds(1)

    /// How many listeners there are.
    var listeners = 0
    /// Until when it goes on without listeners.
    var lingersUntil = Duration.zero
    /// A task keeps it going, and waits for `news` about changes.
    var isKept = false
    var news: OneShot<Void>?
    /// Its adapter's scope has ended.
    var isOver = false
    /// Since when it has been on without a break; nil while it is not, or another program's is in the way.
    var since: Duration?
    /// One of this process runs.
    var isOurs = false
    /// Another program's runs.
    var isForeign = false
    /// The kernel was asked to end ours, and has not reported the end yet.
    var isEnding = false
    /// When ours was ended last.
    var ended: Duration?
    /// When the next begins, and which length it has.
    var next = Duration.zero
    var step = 0
    /// Since when listeners hear only what another program's discovery has not reported yet.
    var deafSince: Duration?
    /// How long they were deaf before that.
    var deafness = Duration.zero

    /// Ours has begun.
    mutating func begin(at now: Duration) {
        isOurs = true
        isForeign = false
        since = since ?? now
        hear(at: now)
    }

    /// The discovery that is asked for may end at `now` plus its length.
    mutating func schedule(at now: Duration) { next = now + Self.lengths[min(step, Self.lengths.count - 1)] }

    /// Listeners hear everything again, or there are none.
    mutating func hear(at now: Duration) {
        if let since = deafSince { deafness += now - since }
        deafSince = nil
    }

    /// A listener has left.
    mutating func leave(at now: Duration) {
        listeners -= 1
        guard listeners == 0 else { return }
        hear(at: now)
        lingersUntil = isOurs ? now + Self.lingering : now
    }

    /// The kernel reports the end of a discovery. One that was not asked to end had to give way to a connection.
    mutating func noteEnd() {
        isForeign = false
        if !isEnding { isOurs = false }
        isEnding = false
    }

    /// The controller is gone, and every discovery with it.
    mutating func lose() {
        isForeign = false
        isOurs = false
        isEnding = false
        since = nil
    }

    /// When the task that keeps it has to act next, and the news that this has changed; nil when it is no longer wanted.
    mutating func wait(at now: Duration) -> (until: Duration, orFor: OneShot<Void>)? {
        guard listeners > 0 || lingersUntil > now else {
            isKept = false
            since = nil
            news = nil
            return nil
        }
        let news = OneShot<Void>()
        self.news = news
        return (listeners > 0 ? next : lingersUntil, news)
    }
}
