/// A vendor whose beacons can light up or beep on request.
public protocol BlinkVendor: SessionVendor {
    /// Makes the beacon light up or beep, and keeps the link until that is over.
    associatedtype Blinking: SessionDialogue where Blinking.Ending == Void

    /// The beacons that can light up or beep, and how: words that follow "works with".
    var blinkHint: Advice { get }
    /// Whether a request may state how long the light is on and off.
    var takesFlashes: Bool { get }
    /// Why `beacon` cannot do it, judging by its advertisements: words that follow its address. Nil if it may do it.
    func obstacle(to request: BlinkRequest, for beacon: HeardBeacon) -> String?
    func blinking(
        _ request: BlinkRequest, of peer: Peer, heardAs beacon: HeardBeacon
    ) throws(SessionFailure) -> Blinking
}

extension BlinkVendor {
    public var takesFlashes: Bool { false }
    public func obstacle(to request: BlinkRequest, for beacon: HeardBeacon) -> String? { nil }
}

/// A request to light up or beep.
public struct BlinkRequest: Sendable {
    /// How long the light is on each time, and how long it is off in between.
    public struct Flashes: Equatable, Sendable {
        /// The accepted values of `on` and `off`; the makers document no limits.
        public static let milliseconds = 1...60_000
        /// In milliseconds.
        public let on, off: Int

        /// On for `on` milliseconds, and off for `off`; nil if out of range.
        public init?(on: Int, off: Int) {
            guard Self.milliseconds.contains(on), Self.milliseconds.contains(off) else { return nil }
            (self.on, self.off) = (on, off)
        }
    }

    public static let longest = Duration.seconds(60)
    public let length: Duration
    /// Whether to beep instead of lighting up.
    public let beeps: Bool
    /// How the light flashes; nil for the beacon's own way.
    public let flashes: Flashes?

    public init(for length: Duration, beeping beeps: Bool = false, flashing flashes: Flashes? = nil) {
        (self.length, self.beeps, self.flashes) = (length, beeps, flashes)
    }
}
