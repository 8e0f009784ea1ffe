/// A period during which the LED or buzzer of a Feasycom beacon was on (fbeacon.md, Showing itself).
public struct FBeaconSignal: Hashable, Sendable {
    /// When it started.
    public let start: Duration
    /// When it ended, or will end by itself; nil if it has no end.
    private(set) var end: Duration?

    /// How long it lasted.
    public var lasted: Duration { (end ?? start) - start }

    /// A signal that lasts for `length`, or until it is stopped.
    init(from start: Duration, for length: Duration? = nil) {
        self.start = start
        end = length.map { start + $0 }
    }

    /// Ends it, unless it has ended already.
    mutating func stop(at now: Duration) { end = min(end ?? now, max(start, now)) }
}

extension FBeaconStatistics {
    /// Turns off LED and buzzer.
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
