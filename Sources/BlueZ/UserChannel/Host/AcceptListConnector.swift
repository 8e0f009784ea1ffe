import Bluetooth

/// Connects to many peers at once: all wanted peers are on the controller's filter accept list, and the
/// controller connects to the first of them that advertises.
///
/// The list can be changed only while the controller does not wait for a connection. So a change cancels the
/// procedure, awaits its end, which may be a link, and begins a new one.
struct AcceptListConnector: Sendable {
    /// A request that waits for a link.
    struct Opening: Equatable, Sendable {
        let ticket: UInt64
        let peer: DeviceAddress
        let linkRequest: LinkRequest
        /// When the request is given up; the earliest goes first.
        let deadline: Duration
        /// How many turns its peer has had on the list while others had to wait.
        var turns = 0
    }

    private enum Phase: Equatable, Sendable {
        case idle, beginning
        /// The controller waits for the peers on its list.
        case waiting
        /// The procedure was cancelled, and its end has not been reported.
        case ending
    }

    /// How long the peers on the list stay on it while others wait for a place.
    static let turn = Duration.seconds(2)
    /// How long the end of a cancelled procedure may take; then it is cancelled again.
    static let endLimit = Duration.seconds(1)
    /// The pause after the controller has refused a command.
    static let pause = Duration.milliseconds(200)

    /// How many peers the controller's list takes.
    var size = 1
    private(set) var openings: [Opening] = []
    /// Peers with a link: they do not advertise.
    var linked: Set<DeviceAddress> = []
    private(set) var listed: Set<DeviceAddress> = []
    /// Whether the controller's list may differ from `listed`: then it is cleared before it is used.
    private var isListUnknown = false
    private var phase = Phase.idle
    private var hasCoded = false
    /// When the peers on the list make way for others; nil while the list has room for all.
    private var turnEnd: Duration?
    private var endDeadline: Duration?
    private var pauseEnd: Duration?

    /// Whether the controller has, or may still have, a procedure of ours.
    var isBusy: Bool { phase != .idle }
    var hasWork: Bool { openings.contains { !linked.contains($0.peer) } }
    /// When ``commands(at:allowed:coded:ownType:isExtended:)`` has something to do without an event.
    var deadline: Duration? { [turnEnd, endDeadline, pauseEnd].compactMap(\.self).min() }

    mutating func add(_ opening: Opening) { openings.append(opening) }

    /// Removes an opening; nil if it is not waiting.
    @discardableResult mutating func remove(_ ticket: UInt64) -> Opening? {
        openings.firstIndex { $0.ticket == ticket }.map { openings.remove(at: $0) }
    }

    mutating func removeAll() -> [Opening] {
        defer { openings = [] }
        return openings
    }

    /// Removes and returns the opening that gets a new link to `peer`; nil if none waits for it.
    mutating func takeOpening(linkedTo peer: DeviceAddress) -> Opening? {
        ordered.first { $0.peer == peer }.flatMap { remove($0.ticket) }
    }

    private var ordered: [Opening] {
        openings.sorted {
            ($1.linkRequest.priority, $0.turns, $0.deadline, $0.ticket)
                < ($0.linkRequest.priority, $1.turns, $1.deadline, $1.ticket)
        }
    }

    /// The first openings of different peers that fit the list.
    private var chosen: [Opening] {
        var peers = linked
        return Array(ordered.filter { peers.insert($0.peer).inserted }.prefix(max(1, size)))
    }

    /// The commands for the controller now. Without `allowed` it must not wait for connections; `coded` are peers
    /// on LE Coded.
    mutating func commands(
        at now: Duration, allowed: Bool, coded: Set<DeviceAddress>, ownType: UInt8, isExtended: Bool
    ) -> [HCICommand] {
        advance(to: now)
        let chosen = chosen
        let peers = Set(chosen.map(\.peer))
        let isCrowded = openings.contains { !peers.contains($0.peer) && !linked.contains($0.peer) }
        if !isCrowded { turnEnd = nil } else if phase == .waiting { turnEnd = turnEnd ?? now + Self.turn }
        let needsCoded = isExtended && !peers.isDisjoint(with: coded)
        // LE Coded is left out if no peer needs it: it would halve the time for the peers on LE 1M.
        let isRight = peers == listed && needsCoded == hasCoded
        switch phase {
        case .waiting where !allowed || !isRight && pauseEnd == nil || peers.isEmpty,
            .ending where endDeadline == nil:
            phase = .ending
            endDeadline = now + Self.endLimit
            return [.cancelConnection]
        case .idle where allowed && !peers.isEmpty && pauseEnd == nil:
            let changes =
                (isListUnknown ? [.clearAcceptList] : [])
                + listed.subtracting(peers).map(HCICommand.removeFromAcceptList)
                + peers.subtracting(listed).map(HCICommand.addToAcceptList)
            (phase, listed, hasCoded) = (.beginning, peers, needsCoded)
            isListUnknown = false
            turnEnd = nil
            let steps = Self.steps(of: chosen)
            let create: HCICommand =
                isExtended
                ? .createExtendedConnection(steps, ownType: ownType, coded: needsCoded)
                : .createConnection(steps, ownType: ownType)
            return changes + [create]
        default: return []
        }
    }

    /// The parameters for the next link, whose peer is not known yet: the shortest interval and the longest timeout of
    /// `openings`. If the link's own request differs, its parameters are changed afterwards.
    private static func steps(of openings: [Opening]) -> LinkSteps {
        var request = LinkRequest()
        request.interval = openings.map(\.linkRequest.interval).min() ?? request.interval
        request.supervisionTimeout =
            openings.map(\.linkRequest.supervisionTimeout).max() ?? request.supervisionTimeout
        return LinkSteps(request)
    }

    private mutating func advance(to now: Duration) {
        if let end = pauseEnd, end <= now { pauseEnd = nil }
        if let end = endDeadline, end <= now { endDeadline = nil }
        if let end = turnEnd, end <= now {
            turnEnd = nil
            for place in openings.indices where listed.contains(openings[place].peer) {
                openings[place].turns += 1
            }
        }
    }

    /// Notes that the controller has answered a command to wait for connections, at `now`.
    mutating func noteBeginning(_ status: HCIStatus, at now: Duration) {
        guard phase == .beginning else { return }
        switch status {
        case .success: phase = .waiting
        case .disallowed:
            // The controller may still have a procedure that it has refused to cancel, with another list.
            phase = .waiting
            forgetList()
        default: pauseCommands(at: now)
        }
    }

    /// Notes that the controller has answered a cancellation. It refuses if it does not wait for a connection.
    mutating func noteCancellation(_ status: HCIStatus, at now: Duration) {
        guard status != .success, phase == .ending else { return }
        endDeadline = nil
        pauseCommands(at: now)
    }

    mutating func noteChange(of command: HCICommand, _ status: HCIStatus, at now: Duration) {
        guard status != .success else { return }
        pauseEnd = now + Self.pause
        guard status == .memoryExceeded, let peer = listed.first(where: { command == .addToAcceptList($0) })
        else { return forgetList() }
        // The controller's list is smaller than it has reported.
        listed.remove(peer)
        size = max(1, listed.count)
    }

    private mutating func forgetList() {
        listed = []
        isListUnknown = true
    }

    /// Notes that a procedure has ended, with a link or without, at `now`.
    mutating func noteEnd(_ status: HCIStatus, at now: Duration) {
        let wasCancelled = phase == .ending
        endDeadline = nil
        guard status != .success, !wasCancelled else { return phase = .idle }
        pauseCommands(at: now)
    }

    private mutating func pauseCommands(at now: Duration) {
        phase = .idle
        pauseEnd = now + Self.pause
    }
}
