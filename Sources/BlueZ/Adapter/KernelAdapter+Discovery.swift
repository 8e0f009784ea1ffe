import Logging
import Radio
import Synchronization
import Timing

/// The discovery that all listeners of an adapter share: the kernel has one at a time for everybody.
struct DiscoveryState: Sendable {
    /// How long one discovery runs before the next: the kernel passes a beacon's report on once a discovery,
    /// so one that rotates its frames shows another frame each time. The first ones are short: a report that
    /// comes before the kernel has noted that discovery is on is dropped, and not repeated in that discovery.
    /// The last length stays.
    static let lengths: [Duration] = [.seconds(1), .seconds(1), .seconds(2), .seconds(4)]

    /// Who listens.
    var listeners = 0
    /// One of ours runs.
    var isOurs = false
    /// Another program's runs.
    var isForeign = false
    /// When ours was ended last.
    var ended: Duration?
    /// When the next begins, and which length it has.
    var next = Duration.zero
    var step = 0
    /// Since when listeners hear only what another program's discovery has not reported yet.
    var deafSince: Duration?
    /// How long they did before that.
    var deafness = Duration.zero

    /// Ours has begun.
    mutating func begin(at now: Duration) {
        isOurs = true
        isForeign = false
        hear(at: now)
    }

    /// The discovery that is asked for may end at `now` plus its length.
    mutating func schedule(at now: Duration) { next = now + Self.lengths[min(step, Self.lengths.count - 1)] }

    /// Nothing stands between listeners and the air any more, or there are none.
    mutating func hear(at now: Duration) {
        if let since = deafSince { deafness += now - since }
        deafSince = nil
    }
}

extension KernelAdapter {
    /// How long the kernel may take to end a discovery of ours after it has answered that it will.
    private static let endingLimit = Duration.milliseconds(500)

    /// How long listeners could not hear everything.
    public var deafTime: Duration {
        let now = time.now
        return state.withLock { state in
            state.discovery.deafness + (state.discovery.deafSince.map { now - $0 } ?? .zero)
        }
    }

    /// Begins a discovery for another listener: what the one before has reported it would not report again.
    func joinDiscovery() async throws(ManagementError) {
        state.withLock { $0.discovery.listeners += 1 }
        do throws(ManagementError) {
            do { try await discovering.take() } catch { throw .cancelled }
            defer { discovering.pass() }
            state.withLock { $0.discovery.step = 0 }
            try await discover()
        } catch {
            await uncancelled { [self] in await leaveDiscovery() }
            throw error
        }
    }

    /// A listener less; with the last one ends the discovery, if it is ours.
    func leaveDiscovery() async {
        let now = time.now
        state.withLock { state in
            state.discovery.listeners -= 1
            if state.discovery.listeners == 0 { state.discovery.hear(at: now) }
        }
        guard (try? await discovering.take()) != nil else { return }
        defer { discovering.pass() }
        guard state.withLock({ $0.discovery.listeners == 0 && $0.discovery.isOurs }) else { return }
        await endDiscovery()
    }

    /// Another discovery whenever it is time for one.
    func keepDiscovering() async {
        while (try? await time.sleep(until: state.withLock { $0.discovery.next })) != nil {
            await uncancelled { [self] in
                let now = time.now
                await discoverAgain {
                    $0.next <= now
                } changing: {
                    $0.step += 1
                }
            }
        }
    }

    /// Another program's discovery has ended: ours begins, and reports what that one had reported already.
    func takeOverDiscovery() async {
        await discoverAgain {
            !$0.isOurs
        } changing: {
            $0.step = 0
        }
    }

    private func discoverAgain(
        where isDue: @Sendable (DiscoveryState) -> Bool,
        changing change: @Sendable (inout DiscoveryState) -> Void
    ) async {
        guard (try? await discovering.take()) != nil else { return }
        defer { discovering.pass() }
        let isWanted = state.withLock { state in
            guard state.discovery.listeners > 0, isDue(state.discovery) else { return false }
            change(&state.discovery)
            return true
        }
        guard isWanted else { return }
        do throws(ManagementError) { try await discover() } catch {
            log.debug("the next discovery did not begin: \(error)")
        }
    }

    /// Begins a discovery, after the end of the one before if that was ours. Another program's serves us too, as far
    /// as that goes. Whoever calls has the turn.
    private func discover() async throws(ManagementError) {
        let events = management.events()
        if state.withLock({ $0.discovery.isOurs }) { await endDiscovery() }
        let now = time.now
        state.withLock { $0.discovery.schedule(at: now) }
        do throws(ManagementError) { try await startDiscovery() } catch {
            guard case .refused(.busy, _) = error else { throw error }
            guard try await hasJustEnded(events) else { return noteForeignDiscovery() }
            do throws(ManagementError) { try await startDiscovery() } catch {
                guard case .refused(.busy, _) = error else { throw error }
                noteForeignDiscovery()
            }
        }
    }

    private func startDiscovery() async throws(ManagementError) {
        do throws(ManagementError) { try await management.perform(.startDiscovery, on: index) } catch {
            // It may begin all the same, and has to be ended.
            if error == .cancelled { state.withLock { $0.discovery.isOurs = true } }
            throw error
        }
        let now = time.now
        state.withLock { $0.discovery.begin(at: now) }
    }

    private func endDiscovery() async {
        _ = try? await management.perform(.stopDiscovery, on: index)
        let now = time.now
        state.withLock { state in
            state.discovery.isOurs = false
            state.discovery.ended = now
        }
    }

    /// Whether what the kernel is busy with may be the end of our own discovery, which is then waited for: it
    /// answers before it has ended it.
    private func hasJustEnded(
        _ events: AsyncStream<(UInt16, ManagementEvent)>
    ) async throws(ManagementError) -> Bool {
        guard let ended = state.withLock({ $0.discovery.ended }), time.now - ended < Self.endingLimit else {
            return false
        }
        let index = index
        do {
            _ = try await time.within(Self.endingLimit) {
                for await (controller, event) in events where controller == index {
                    if case .discovering(false) = event { return }
                }
            }
        } catch { throw .cancelled }
        guard !Task.isCancelled else { throw .cancelled }
        return true
    }

    private func noteForeignDiscovery() {
        let now = time.now
        let isNews = state.withLock { state -> Bool in
            if state.discovery.deafSince == nil { state.discovery.deafSince = now }
            defer { state.discovery.isForeign = true }
            return !state.discovery.isForeign
        }
        guard isNews else { return }
        log.warning(
            """
            another program is scanning with \(name); what it has heard already may be heard again only when its \
            scan has ended
            """)
    }
}
