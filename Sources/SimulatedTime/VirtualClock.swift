/// The clock of one virtual time.
public struct VirtualClock: Clock {
    /// A moment of virtual time.
    public struct Instant: InstantProtocol {
        /// Virtual time since the start.
        public let offset: Swift.Duration

        /// The moment `duration` later.
        public func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }
        /// From this moment to `other`.
        public func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
        /// Earlier moments come first.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    let time: VirtualTime

    /// The present moment.
    public var now: Instant { Instant(offset: time.now) }
    /// Virtual time is exact.
    public var minimumResolution: Swift.Duration { .zero }

    /// Suspends until `deadline`; throws only when the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
        try await time.sleep(until: deadline.offset)
    }
}
