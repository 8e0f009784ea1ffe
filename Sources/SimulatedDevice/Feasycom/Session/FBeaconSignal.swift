/// A while in which a Feasycom beacon showed itself (fbeacon.md, Showing itself).
public struct FBeaconSignal: Hashable, Sendable {
    /// When it began.
    public let start: Duration
    /// When it ended, or ends by itself; nil for never.
    private(set) var end: Duration?

    /// For how long it lasted.
    public var lasted: Duration { (end ?? start) - start }

    /// One that lasts for `length`, or until it is ended.
    init(from start: Duration, for length: Duration? = nil) {
        self.start = start
        end = length.map { start + $0 }
    }

    /// Ends it, if it has not ended before.
    mutating func stop(at now: Duration) { end = min(end ?? now, max(start, now)) }
}

extension FBeaconStatistics {
    /// The light, and the buzzer, are off.
    mutating func stopSignals(at now: Duration) {
        stopLight(at: now)
        stopSound(at: now)
    }

    mutating func stopLight(at now: Duration) {
        if let last = lights.indices.last { lights[last].stop(at: now) }
    }

    mutating func stopSound(at now: Duration) {
        if let last = sounds.indices.last { sounds[last].stop(at: now) }
    }
}
