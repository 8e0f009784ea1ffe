import Bluetooth

/// The discovery that all listeners of an adapter share: the kernel runs one at a time for all programs.
struct DiscoveryState: Sendable {
    /// How long one discovery runs before the next. The kernel reports a beacon once per discovery, so a beacon that
    /// rotates its frames shows another frame each time. The first ones are short: a report that arrives before the
    /// kernel has marked discovery as on is dropped, and not repeated in that discovery. The last length repeats.
    static let lengths: [Duration] = [
        .milliseconds(300), .milliseconds(300), .milliseconds(400), .seconds(1), .seconds(2), .seconds(4),
    ]
    /// How long discovery continues without listeners, so that a listener that starts soon after finds it running.
    static let lingering = Duration.seconds(1)

    var listeners = 0
    /// When discovery ends if no listener comes.
    var lingersUntil = Duration.zero
    /// Whether a task keeps discovery running.
    var isKept = false
    /// Wakes that task after a change.
    var wakeUp: OneShot<Void>?
    var isOver = false
    /// Since when discovery has been on without a break; nil while it is off, or blocked by another program's.
    var since: Duration?
    var isOurs = false
    var isForeign = false
    /// Whether the kernel was asked to end our discovery, and has not reported the end yet.
    var isEnding = false
    /// When our discovery last began.
    var begun: Duration?
    /// When our discovery last ended.
    var ended: Duration?
    /// When the next discovery begins; `step` selects its length.
    var next = Duration.zero
    var step = 0
    /// How long listeners received only what another program's discovery had not reported yet.
    var deafness = Stopwatch()

    mutating func begin(at now: Duration) {
        isOurs = true
        isForeign = false
        begun = now
        since = since ?? now
        deafness.end(at: now)
    }

    /// Sets when the discovery that is requested at `now` is replaced by the next one.
    mutating func schedule(at now: Duration) { next = now + Self.lengths[min(step, Self.lengths.count - 1)] }

    mutating func leave(at now: Duration) {
        listeners -= 1
        guard listeners == 0 else { return }
        deafness.end(at: now)
        lingersUntil = isOurs ? now + Self.lingering : now
    }

    /// Notes that the kernel has reported the end of a discovery. An end that we did not request is due to a
    /// connection.
    mutating func noteEnd() {
        isForeign = false
        if !isEnding { isOurs = false }
        isEnding = false
    }

    /// Notes that the controller is gone, and with it every discovery.
    mutating func lose() {
        isForeign = false
        isOurs = false
        isEnding = false
        since = nil
    }

    /// When the task that keeps discovery running has to act next, and the signal that wakes it earlier; nil when
    /// discovery is no longer wanted.
    mutating func wait(at now: Duration) -> (until: Duration, orFor: OneShot<Void>)? {
        guard listeners > 0 || lingersUntil > now else {
            isKept = false
            since = nil
            wakeUp = nil
            return nil
        }
        let wakeUp = OneShot<Void>()
        self.wakeUp = wakeUp
        return (listeners > 0 ? next : lingersUntil, wakeUp)
    }
}
