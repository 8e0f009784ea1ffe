/// What the schedule knows of a unit.
struct TrayUnit: Sendable {
    /// How long an update may take to ask for a link before others go in its stead: it listens for a second, and to a slow
    /// beacon for longer; a bootloader is back a second after a jump, an application two or three after a restart.
    static let timeout = Duration.seconds(5)

    enum Phase: Equatable, Sendable {
        /// Its update has not begun.
        case waiting
        /// Its update has begun, and does not ask for a link: it listens, the unit restarts, or it is over soon.
        case away
        /// Its update waits for a link since that moment.
        case asking(since: Duration)
        case connecting(since: Duration)
        case linked
        case ended(UnitOutcome)
    }

    var phase = Phase.waiting
    var signals = SignalMap()
    /// Over which adapter it is updated, from the beginning to the end.
    var adapter: AdapterNumber?
    /// When its update began.
    var begun = Duration.zero
    /// Whether a link to it has stood.
    var hasStood = false
    /// Whether a link to it stood before its adapter was gone: it may be in its bootloader, and goes on though no others begin.
    var isResuming = false
    /// When its last link ended.
    var left = Duration.zero
    /// When it first might connect.
    var started: Duration?
    /// Attempts since the last link.
    var failures = 0
    /// When it has accepted something last over this link; nil while nothing is sent.
    var progress: Duration?
    var isStalled = false
    var isGivenUp = false

    var isConnecting: Bool { if case .connecting = phase { true } else { false } }

    /// Whether a link to it stands or is being made.
    var hasLink: Bool { phase == .linked || isConnecting }

    /// Until when its slot is kept though it has no link; nil where there is nothing to be kept.
    var lease: Duration? { phase == .away && hasStood ? left + Self.timeout : nil }

    /// Whether it counts against the link slots: while it has a link, and from then on for as long as it takes to restart,
    /// so that it does not wait in its bootloader. The slot of one that stays away for longer is lent to others.
    func hasSlot(at now: Duration) -> Bool {
        hasLink || hasStood && asking != nil || lease.map { $0 > now } ?? false
    }

    /// Until when its first link is supposed to be asked for soon; nil where it is not, or is asked for already.
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
