public import Bluetooth
import Logging
import Synchronization

/// An adapter that this program has to itself: a host of its own over the kernel's HCI user channel, instead
/// of the kernel's host.
///
/// It connects to many beacons at once, with the controller's filter accept list, and hears extended and
/// coded advertising. Other programs do not see the adapter meanwhile. It does not pair, has no credit-based
/// channels, and does not return after it was unplugged.
public final class UserChannelAdapter: Adapter {
    /// How long the scan continues without listeners, so that a listener that starts soon after finds it running.
    private static let lingering = Duration.seconds(1)
    /// How long changes to a new link may take before its parameters are reported.
    private static let tuningTimeout = Duration.milliseconds(250)
    /// How many packets of a peer may wait to be read; if there are more, the link is ended.
    private static let mostUnread = 1024

    struct State: Sendable {
        var host: UserChannelHost
        var openings: [UInt64: Opening] = [:]
        var links: [UserChannelHost.LinkID: LinkState] = [:]
        var listeners = 0
        /// When the scan without listeners ends.
        var lingersUntil: Duration?
        var listeningSince: Duration?
        var alarm: (moment: Duration, alarm: Alarm)?
        /// Why the adapter cannot be used any more; nil while it can.
        var failure: String?
        var isOver = false
    }

    /// A request that waits for a link, and its outcome.
    struct Opening: Sendable {
        let isDone = OneShot<Void>()
        var result: Result<UserChannelHost.LinkID, AdapterError>?
    }

    struct LinkState: Sendable {
        var unread: [[UInt8]] = []
        var isEnded = false
        var isTuned = false
        /// Wake the callers that wait for a packet or for the link's parameters.
        var waiting: [OneShot<Void>] = []
        var waitingForRoom: [OneShot<Void>] = []
    }

    /// The controller's public address; all zero if it has none.
    public let address: DeviceAddress
    /// `hci0` and the like.
    public let name: String
    public let time: Timekeeper
    /// The adapter's name for locks and records.
    package let key: String
    let log: Logger
    let locks: NamedLocks
    let ready = OneShot<Void>()
    let ended = OneShot<Void>()
    private let outgoing: AsyncStream<[UInt8]>.Continuation
    private let listeners = ScanListeners()
    private let state: Mutex<State>

    /// The adapter `name`, which sends packets to its controller by `outgoing`.
    init(
        _ name: String, key: String, address: DeviceAddress, fallbackAddress: DeviceAddress?,
        in environment: Environment, sending outgoing: AsyncStream<[UInt8]>.Continuation
    ) {
        (self.name, self.key, self.address, self.outgoing) = (name, key, address, outgoing)
        (time, log, locks) = (environment.time, environment.log, environment.locks)
        state = Mutex(State(host: UserChannelHost(name: name, fallbackAddress: fallbackAddress)))
    }

    /// The controller does not filter repeated reports.
    public var passesEveryReport: Bool { true }

    /// It listens on LE Coded if the controller supports that.
    public var coded: CodedReception? {
        state.withLock { $0.host.controller.hasCoded ? .selected : .missing }
    }

    /// Peers that do not fit the controller's accept list take turns on it.
    public var pendingLinks: Int { 16 }

    /// How long listeners heard nothing because the controller cannot scan while it connects.
    public var connectingTime: Duration { change { $0.host.scanOffTime(at: $1) } }

    var failure: String? { state.withLock { $0.failure } }

    /// Changes the state at the present moment, then sends and reports what follows from that.
    @discardableResult func change<Result: Sendable>(_ body: (inout State, Duration) -> Result) -> Result {
        let now = time.now
        let (result, effects) = state.withLock { state in
            let result = body(&state, now)
            return (result, collectEffects(of: &state, at: now))
        }
        for waiter in effects.waiters { waiter.resolve(()) }
        for report in effects.reports { listeners.hear(report, at: now, since: effects.listeningSince) }
        for (level, note) in effects.notes { log.log(level: level, "\(note)") }
        if effects.hasFailed { listeners.end() }
        return result
    }

    /// What follows from a change outside of the state, once it is unlocked.
    private struct Effects: Sendable {
        var waiters: [OneShot<Void>] = []
        var reports: [Advertisement] = []
        var notes: [(Logger.Level, String)] = []
        var hasFailed = false
        var listeningSince: Duration?
    }

    /// The order of packets and events is that of the changes, so both are passed on under the lock.
    private func collectEffects(of state: inout State, at now: Duration) -> Effects {
        var effects = Effects()
        if let end = state.lingersUntil, end <= now, state.listeners == 0 {
            state.lingersUntil = nil
            state.host.listen(false, at: now)
        }
        var (packets, events) = state.host.output()
        while !packets.isEmpty || !events.isEmpty {
            for packet in packets { outgoing.yield(packet) }
            for event in events { apply(event, &state, &effects, at: now) }
            (packets, events) = state.host.output()
        }
        let isListening = state.host.scan.isOn && state.host.phase == .ready
        state.listeningSince = isListening ? state.listeningSince ?? now : nil
        effects.listeningSince = state.listeningSince
        arm(&state, at: now)
        return effects
    }

    /// Sets the alarm for the next deadline. An alarm that rings too early does no harm.
    private func arm(_ state: inout State, at now: Duration) {
        let wanted = [state.host.deadline, state.lingersUntil].compactMap(\.self).min()
        guard let wanted, !state.isOver else { return }
        if let alarm = state.alarm {
            guard wanted < alarm.moment else { return }
            alarm.alarm.stop()
        }
        let alarm = time.alarm(after: max(.zero, wanted - now)) { [weak self] in
            self?.change { state, now in
                // A later alarm may have replaced this one.
                if let alarm = state.alarm, alarm.moment <= now { state.alarm = nil }
                state.host.advance(to: now)
            }
        }
        state.alarm = (wanted, alarm)
    }

    private func apply(
        _ event: UserChannelHost.Event, _ state: inout State, _ effects: inout Effects, at now: Duration
    ) {
        switch event {
        case .ready: effects.waiters.append(ready)
        case .ended: effects.waiters.append(ended)
        case .failed(let reason):
            state.failure = reason
            effects.hasFailed = true
            if !state.isOver { effects.notes.append((.warning, reason)) }
            effects.waiters += [ready, ended]
        case .heard(let report): effects.reports.append(report)
        case .opened(let ticket, let link):
            guard let opening = state.openings[ticket] else { return state.host.close(link, at: now) }
            state.links[link] = LinkState()
            state.openings[ticket]?.result = .success(link)
            effects.waiters.append(opening.isDone)
        case .refused(let ticket, let error):
            guard let opening = state.openings[ticket] else { return }
            state.openings[ticket]?.result = .failure(error)
            effects.waiters.append(opening.isDone)
        case .received(let link, let packet):
            guard let count = state.links[link]?.unread.count else { return }
            guard count < Self.mostUnread else {
                effects.notes.append((.info, "packets of a peer are not read: its link is ended"))
                return state.host.close(link, at: now)
            }
            state.links[link]?.unread.append(packet)
            wake(&state.links[link], &effects)
        case .room(let link):
            effects.waiters += state.links[link]?.waitingForRoom ?? []
            state.links[link]?.waitingForRoom = []
        case .tuned(let link):
            state.links[link]?.isTuned = true
            wake(&state.links[link], &effects)
        case .closed(let link, let reason):
            effects.notes.append((.debug, "a link of \(name) ended: \(reason)"))
            state.links[link]?.isEnded = true
            wake(&state.links[link], &effects)
        case .note(let text): effects.notes.append((.debug, text))
        }
    }

    private func wake(_ link: inout LinkState?, _ effects: inout Effects) {
        effects.waiters += (link?.waiting ?? [])
        link?.waiting = []
        guard link?.isEnded == true else { return }
        effects.waiters += (link?.waitingForRoom ?? [])
        link?.waitingForRoom = []
    }

    func receive(_ packet: [UInt8]) { change { $0.host.receive(packet, at: $1) } }

    /// Ends the adapter with its scope: nothing is sent any more.
    func finish() {
        let alarm = state.withLock { state in
            state.isOver = true
            defer { state.alarm = nil }
            return state.alarm?.alarm
        }
        alarm?.stop()
        change { $0.host.fail("\(name) is not used any more", at: $1) }
        listeners.end()
        outgoing.finish()
    }
}

extension UserChannelAdapter {
    public func advertisements() async throws(AdapterError) -> AsyncStream<Advertisement> {
        let (stream, listener) = listeners.add { [self] in
            change { state, now in
                state.listeners -= 1
                if state.listeners == 0 { state.lingersUntil = now + Self.lingering }
            }
        }
        let failure = change { state, now in
            state.listeners += 1
            state.lingersUntil = nil
            state.host.listen(true, at: now)
            return state.failure
        }
        guard failure == nil, !listeners.isOver else {
            listener.finish()
            throw .unavailable(failure ?? "\(name) is not used any more")
        }
        return stream
    }

    public func scanHistory() -> ScanHistory {
        ScanHistory(
            listeningSince: state.withLock { $0.listeningSince }, sightings: listeners.sightings(at: time.now)
        )
    }

    public func advertisingInterval(of peer: DeviceAddress) -> Duration? {
        listeners.intervals.interval(of: peer)
    }

    /// Opens the attribute channel of `peer`. All requests wait at the same time, each for at least two advertising
    /// intervals of its beacon, unless the user has chosen the limit.
    public func open(
        _ channel: LinkChannel, to peer: DeviceAddress, asking linkRequest: LinkRequest,
        within limit: Duration
    ) async throws(AdapterError) -> UserChannelLink {
        guard channel == .attributes else {
            throw .unavailable(
                "\(name) is used exclusively and has no credit-based channels then; through the kernel it has them"
            )
        }
        guard !Task.isCancelled else { throw .cancelled }
        let needed = listeners.intervals.connectionTime(of: peer, at: time.now)
        let limit = linkRequest.isLimitChosen ? limit : needed?.extending(limit) ?? limit
        let (ticket, isDone) = change { state, now in
            let ticket = state.host.open(peer, asking: linkRequest, by: now + limit, at: now)
            let opening = Opening()
            state.openings[ticket] = opening
            if let failure = state.failure {
                state.openings[ticket]?.result = .failure(.unavailable(failure))
                opening.isDone.resolve(())
            }
            return (ticket, opening.isDone)
        }
        _ = try? await time.within(limit) { await isDone.value() }
        let isCancelled = Task.isCancelled
        let result = change { state, now -> Result<UserChannelHost.LinkID, AdapterError> in
            if let result = state.openings.removeValue(forKey: ticket)?.result { return result }
            let isHeld = state.host.hasOpenLink(to: peer)
            state.host.cancel(ticket, at: now)
            return .failure(isHeld ? .held(peer) : .noAnswer(peer))
        }
        // If the task was cancelled, the link is closed when this value is released.
        let link = result.map { UserChannelLink($0, to: peer, on: self) }
        if case .success = result { listeners.forgetInterval(of: peer) }
        guard !isCancelled else { throw .cancelled }
        return try link.get()
    }

    public func retune(interval: Duration) async { change { $0.host.retune(interval: interval, at: $1) } }

    /// Waits for a link that is being tuned, since its parameters are about to change.
    public func parameters(of channel: UserChannelLink) async -> LinkParameters {
        _ = try? await time.within(Self.tuningTimeout) { [self] in
            while let signal = change({ state, _ in
                state.links[channel.id].flatMap { link -> OneShot<Void>? in
                    guard !link.isTuned, !link.isEnded else { return nil }
                    let signal = OneShot<Void>()
                    state.links[channel.id]?.waiting.append(signal)
                    return signal
                }
            }), !Task.isCancelled { _ = await signal.value() }
        }
        return state.withLock { $0.host.parameters(of: channel.id) } ?? LinkParameters()
    }

    public func encrypt(_ channel: UserChannelLink, within limit: Duration) async throws(AdapterError) {
        throw .notEncrypted(
            channel.peer,
            reason:
                "an adapter that is used exclusively does not pair; through the kernel, as \(name), it does")
    }

    public func claim(_ peer: DeviceAddress) throws(AdapterError) -> BeaconClaim { try locks.claim(peer) }
}
