import Bluetooth
import Bytes

/// A Bluetooth LE host that has a controller to itself, as a value: it takes the controller's packets, and
/// returns packets for the controller, and events.
///
/// It scans, connects with the controller's filter accept list, and carries attributes over the links. It
/// never advertises, and does not pair. Extended commands are used if the controller has them, otherwise the
/// legacy ones; a controller refuses a mixture of both (Vol 4, Part E, 3.1.1).
struct UserChannelHost: Sendable {
    /// Identifies a link; a handle does not, since the controller uses it again.
    typealias LinkID = UInt64

    enum Event: Equatable, Sendable {
        /// The controller can be used from now on.
        case ready
        /// The controller cannot be used, or not any more, with the reason.
        case failed(String)
        case heard(Advertisement)
        case opened(ticket: UInt64, LinkID)
        case refused(ticket: UInt64, AdapterError)
        case received(LinkID, [UInt8])
        /// The link takes packets again.
        case room(LinkID)
        /// All that was requested for the link is done, or refused.
        case tuned(LinkID)
        case closed(LinkID, HCIStatus)
        /// The host has ended. The controller was reset, if it was ready.
        case ended
        /// For the log.
        case note(String)
    }

    enum Phase: Equatable, Sendable {
        case starting, ready
        /// Links are being ended, then the controller is reset.
        case ending
        case failed
    }

    /// Whether the controller scans.
    struct Scan: Sendable {
        var isWanted = false
        var isOn = false
        /// When a refused scan is tried again; nil if none was refused.
        var pauseEnd: Duration?
        /// Whether the controller can scan while it waits for connections; otherwise both take turns.
        var canScanWhileConnecting = true
        /// While both take turns: whether it is the scan's turn, and when the current turn ends.
        var hasTurn = false
        var turnEnd: Duration?
        /// How long the scan was off though it was wanted.
        var off = Stopwatch()
    }

    /// How long the controller may take to answer a command.
    static let commandLimit = Duration.seconds(2)
    /// The turns of connecting and of scanning where the controller cannot do both. A turn of connecting has to include
    /// an advertisement of a beacon that advertises every two seconds.
    static let connectingTurn = Duration.seconds(3)
    static let scanningTurn = Duration.seconds(1)

    let name: String
    /// The random address to use if the controller has no public one.
    let fallbackAddress: DeviceAddress?
    var phase = Phase.starting
    var controller = ControllerAbilities()
    var scan = Scan()
    var connector = AcceptListConnector()
    var buffers = LinkBuffers()
    var table = LinkTable()
    var links: [UInt16: HostLink] = [:]
    var assembly = ReportAssembly()
    /// The peers that advertise on LE Coded. Their number is limited: forged addresses must not fill memory.
    var coded: Set<DeviceAddress> = []
    private var lastNumber: UInt64 = 0
    private var commands: [HCICommand] = []
    /// The commands for scanning and connecting. They go first: until then, advertisements of peers are missed.
    private var urgent: [HCICommand] = []
    private var outstanding: (command: HCICommand, deadline: Duration)?
    /// How many commands the controller takes now.
    private var credits = 1
    /// When a controller that takes no commands counts as gone.
    private var creditDeadline: Duration?
    private var outgoing: [[UInt8]] = []
    private var events: [Event] = []

    init(name: String, fallbackAddress: DeviceAddress?) {
        (self.name, self.fallbackAddress) = (name, fallbackAddress)
    }

    /// The packets for the controller and the events since the last call.
    mutating func output() -> (packets: [[UInt8]], events: [Event]) {
        defer { (outgoing, events) = ([], []) }
        return (outgoing, events)
    }

    /// When ``advance(to:)`` has to be called next; nil if not before the next packet or call.
    var deadline: Duration? {
        guard phase != .failed else { return nil }
        let commandLimits = [outstanding?.deadline, hasCommands ? creditDeadline : nil]
        let scheduled = phase == .ready ? [connector.deadline, scan.pauseEnd, scan.turnEnd] : []
        return (commandLimits + scheduled).compactMap(\.self).min()
    }

    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    mutating func emit(_ event: Event) { events.append(event) }

    /// Refuses all requests that wait for a link.
    mutating func refuseAll(_ error: AdapterError) {
        for opening in connector.removeAll() { emit(.refused(ticket: opening.ticket, error)) }
    }

    // MARK: Requests of the adapter

    /// Prepares the controller; the end is ``Event/ready`` or a failure.
    mutating func start(at now: Duration) {
        send(.reset)
        advance(to: now)
    }

    mutating func listen(_ isWanted: Bool, at now: Duration) {
        scan.isWanted = isWanted
        advance(to: now)
    }

    /// Waits for a link to `peer`; the answer is ``Event/opened(ticket:_:)`` or a refusal.
    mutating func open(
        _ peer: DeviceAddress, asking linkRequest: LinkRequest, by deadline: Duration, at now: Duration
    ) -> UInt64 {
        let ticket = nextNumber()
        connector.add(
            AcceptListConnector.Opening(
                ticket: ticket, peer: peer, linkRequest: linkRequest, deadline: deadline))
        advance(to: now)
        return ticket
    }

    /// Withdraws a request for a link; a link that is being made for it is ended.
    mutating func cancel(_ ticket: UInt64, at now: Duration) {
        connector.remove(ticket)
        for (handle, link) in links where link.opening?.ticket == ticket {
            links[handle]?.opening = nil
            end(handle)
        }
        advance(to: now)
    }

    /// Ends every link, then resets the controller; the end is ``Event/ended``.
    mutating func end(at now: Duration) {
        guard phase == .ready else { return emit(.ended) }
        scan.isWanted = false
        refuseAll(.unavailable("\(name) is not used any more"))
        advance(to: now)
        for handle in links.keys.sorted() { end(handle) }
        guard phase == .ready else { return }
        phase = .ending
        if links.isEmpty { send(.reset) }
        advance(to: now)
    }

    /// Notes that the controller cannot be used any more: requests are refused and links ended.
    mutating func fail(_ reason: String, at now: Duration) {
        guard phase != .failed else { return }
        phase = .failed
        (commands, urgent, outstanding) = ([], [], nil)
        refuseAll(.unavailable(reason))
        for handle in links.keys.sorted() { drop(handle, HCIStatus(rawValue: 0x03)) }
        noteOffTime(at: now)
        emit(.failed(reason))
    }

    mutating func advance(to now: Duration) {
        if let outstanding, outstanding.deadline <= now {
            fail("\(name) does not answer \(outstanding.command.name)", at: now)
        }
        if hasCommands, let end = creditDeadline, end <= now {
            fail("\(name) takes no commands any more", at: now)
        }
        if phase == .ready { schedule(at: now) }
        noteOffTime(at: now)
        sendNext(at: now)
        flush()
    }

    // MARK: Scanning while connecting

    /// How long in total the scan was off though it was wanted: while the controller waited for connections,
    /// or after a refusal.
    func scanOffTime(at now: Duration) -> Duration { scan.off.length(at: now) }

    private mutating func noteOffTime(at now: Duration) {
        let isOff = phase == .ready && scan.isWanted && !scan.isOn
        if isOff { scan.off.begin(at: now) } else { scan.off.end(at: now) }
    }

    /// Begins and ends scanning and waiting for connections as they are wanted.
    private mutating func schedule(at now: Duration) {
        if let end = scan.pauseEnd, end <= now { scan.pauseEnd = nil }
        let takesTurns = !scan.canScanWhileConnecting && scan.isWanted && connector.hasWork
        if !takesTurns {
            scan.turnEnd = nil
        } else if scan.turnEnd.map({ $0 <= now }) ?? true {
            // Connecting has the first turn.
            scan.hasTurn = scan.turnEnd != nil && !scan.hasTurn
            scan.turnEnd = now + (scan.hasTurn ? Self.scanningTurn : Self.connectingTurn)
        }
        let mayScan = scan.isWanted && (!takesTurns || scan.hasTurn)
        if scan.isOn, !mayScan { setScan(false) }
        let mayConnect = scan.canScanWhileConnecting || !scan.isOn && !(takesTurns && scan.hasTurn)
        let next = connector.commands(
            at: now, allowed: mayConnect, coded: coded, ownType: controller.ownType,
            isExtended: controller.isExtended)
        urgent += next
        if !scan.isOn, mayScan, scan.pauseEnd == nil, scan.canScanWhileConnecting || !connector.isBusy {
            setScan(true)
        }
    }

    private mutating func setScan(_ isOn: Bool) {
        scan.isOn = isOn
        assembly = ReportAssembly()
        let isExtended = controller.isExtended
        if isOn {
            urgent.append(
                isExtended
                    ? .setExtendedScanParameters(ownType: controller.ownType, coded: controller.hasCoded)
                    : .setScanParameters(ownType: controller.ownType))
        }
        urgent.append(isExtended ? .scanExtended(isOn) : .scan(isOn))
    }

    /// Notes that the controller has answered a command to begin or end a scan.
    mutating func noteScan(_ command: HCICommand, _ status: HCIStatus, at now: Duration) {
        guard status != .success, command == .scan(true) || command == .scanExtended(true) else { return }
        scan.isOn = false
        if status == .disallowed, connector.isBusy, scan.canScanWhileConnecting {
            emit(.note("\(name) does not scan while it connects: both take turns"))
            scan.canScanWhileConnecting = false
            return
        }
        emit(.note("\(name) does not scan: \(status)"))
        scan.pauseEnd = now + .milliseconds(500)
    }

    // MARK: Commands

    private var hasCommands: Bool { !commands.isEmpty || !urgent.isEmpty }

    /// Queues a command. Each is sent after the previous one was answered.
    mutating func send(_ command: HCICommand) {
        guard phase != .failed else { return }
        commands.append(command)
    }

    private mutating func sendNext(at now: Duration) {
        guard outstanding == nil, credits > 0, hasCommands, phase != .failed else { return }
        let command = urgent.isEmpty ? commands.removeFirst() : urgent.removeFirst()
        credits -= 1
        outstanding = (command, now + Self.commandLimit)
        outgoing.append(command.packet)
    }

    mutating func note(credits: Int, at now: Duration) {
        self.credits = credits
        creditDeadline = credits > 0 ? nil : creditDeadline ?? now + Self.commandLimit
    }

    /// The outstanding command, which is now answered; nil if it has another opcode.
    mutating func completeOutstanding(_ opcode: UInt16) -> HCICommand? {
        guard let command = outstanding?.command, command.opcode == opcode else { return nil }
        outstanding = nil
        return command
    }

    private mutating func flush() {
        guard phase == .ready || phase == .ending else { return }
        let (packets, relieved) = buffers.flush()
        outgoing += packets
        for handle in relieved {
            if let link = links[handle], buffers.hasRoom(handle) { emit(.room(link.id)) }
        }
    }
}
