/// The clock of one event loop.
public struct EventLoopClock: Clock {
    /// A moment of the loop's time.
    public struct Instant: InstantProtocol {
        /// Time since the loop began.
        public let offset: Swift.Duration

        /// The moment `duration` later.
        public func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }
        /// From this moment to `other`.
        public func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
        /// Earlier moments come first.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    let loop: EventLoop

    /// The present moment.
    public var now: Instant { Instant(offset: loop.now) }
    /// What the kernel's timers can do.
    public var minimumResolution: Swift.Duration { .nanoseconds(1) }

    /// Suspends until `deadline`; throws only when the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
        try await loop.sleep(until: deadline.offset)
    }
}
