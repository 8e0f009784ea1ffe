import Timing

/// The discovery that all listeners of an adapter share: the kernel has one at a time for everybody.
struct DiscoveryState: Sendable {
    /// How long one discovery runs before the next: the kernel passes a beacon's report on once a discovery,
    /// so one that rotates its frames shows another frame each time. The first ones are short: a report that
    /// comes before the kernel has noted that discovery is on is dropped, and not repeated in that discovery.
    /// The last length stays.
    static let lengths: [Duration] = [
        .milliseconds(300), .milliseconds(300), .milliseconds(400), .seconds(1), .seconds(2), .seconds(4),
    ]
    /// How long it goes on when nobody listens any more: one who begins soon after finds it running.
    static let lingering = Duration.seconds(1)

    /// How many listen.
    var listeners = 0
    /// Until when it goes on though nobody listens.
    var lingersUntil = Duration.zero
    /// Somebody sees to it that it goes on, and waits for `news` where something has changed.
    var isKept = false
    var news: OneShot<Void>?
    /// Its adapter's scope has ended.
    var isOver = false
    /// Since when it has been on without a break; nil while it is not, or another program's is in the way.
    var since: Duration?
    /// One of ours runs.
    var isOurs = false
    /// Another program's runs.
    var isForeign = false
    /// We have asked the kernel to end ours, and it has not told its end yet.
    var isEnding = false
    /// When ours was ended last.
    var ended: Duration?
    /// When the next begins, and which length it has.
    var next = Duration.zero
    var step = 0
    /// Since when listeners hear only what another program's discovery has not reported yet.
    var deafSince: Duration?
    /// How long they did before that.
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

    /// Nothing stands between listeners and the air any more, or there are none.
    mutating func hear(at now: Duration) {
        if let since = deafSince { deafness += now - since }
        deafSince = nil
    }

    /// A listener less.
    mutating func leave(at now: Duration) {
        listeners -= 1
        guard listeners == 0 else { return }
        hear(at: now)
        lingersUntil = isOurs ? now + Self.lingering : now
    }

    /// The kernel says that a discovery has ended. One that nobody has ended had to give way to a connection.
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

    /// When whoever keeps it has to do something, or hears that this has changed; nil when nobody wants it any more.
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
