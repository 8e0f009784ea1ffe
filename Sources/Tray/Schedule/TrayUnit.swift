/// The schedule's state of a unit.
struct TrayUnit: Sendable {
    /// How long an update may take to ask for a link before other units start: it listens for a second, and for longer
    /// with a slow beacon; a bootloader is back a second after a jump, an application two or three seconds after a
    /// restart.
    static let timeout = Duration.seconds(5)

    enum Phase: Equatable, Sendable {
        /// Its update has not begun.
        case waiting
        /// Its update has begun, and does not ask for a link: it listens, the unit restarts, or it is over soon.
        case away
        /// Its update has waited for a link since that moment.
        case asking(since: Duration)
        case connecting(since: Duration)
        case linked
        case ended(UnitOutcome)
    }

    var phase = Phase.waiting
    var signals = SignalMap()
    /// The adapter that updates it, from start to end.
    var adapter: AdapterNumber?
    /// When its update began.
    var begun = Duration.zero
    /// Whether it has had a link.
    var hasStood = false
    /// Whether it had a link before its adapter was lost: it may be in its bootloader, and continues though no others
    /// begin.
    var isResuming = false
    /// When its last link ended.
    var left = Duration.zero
    /// When it was first permitted to connect.
    var started: Duration?
    /// Attempts since the last link.
    var failures = 0
    /// When it last accepted something over this link; nil while nothing is sent.
    var progress: Duration?
    var isStalled = false
    var isGivenUp = false

    var isConnecting: Bool { if case .connecting = phase { true } else { false } }

    /// Whether it has a link, or one is being made.
    var hasLink: Bool { phase == .linked || isConnecting }

    /// Until when its slot is kept without a link; nil if no slot is kept.
    var lease: Duration? { phase == .away && hasStood ? left + Self.timeout : nil }

    /// Whether it occupies a link slot: while it has a link, and then for the time of a restart, so that it does not
    /// wait in its bootloader. A unit that stays away for longer loses its slot to others.
    func hasSlot(at now: Duration) -> Bool {
        hasLink || hasStood && asking != nil || lease.map { $0 > now } ?? false
    }

    /// Until when a request for its first link is expected; nil if none is, or it was made already.
    var expected: Duration? {
        guard phase == .away, !hasStood, !isGivenUp else { return nil }
        return begun + Self.timeout
    }

    /// Since when it has been asking for a link.
    var asking: Duration? {
        guard !isGivenUp, case .asking(let since) = phase else { return nil }
        return since
    }
}
