public import Bluetooth
import Logging
import Synchronization

extension KernelAdapter {
    /// How long the kernel may take to end a discovery of ours after it has accepted the command.
    private static let endingLimit = Duration.milliseconds(500)

    /// How long listeners received only part of the reports.
    public var deafTime: Duration { state.withLock { $0.discovery.deafness.length(at: time.now) } }

    /// All the time spent connecting. The scan is off for only part of it: from the time when the kernel has heard the
    /// peer until the peer's next advertisement (docs/decisions/0011). The kernel does not report when that part begins.
    public var connectingTime: Duration { state.withLock { $0.connecting.length(at: time.now) } }

    /// Joins the discovery for another listener. With `restarting` a new discovery begins, since a discovery does not
    /// report a device twice. If the task is cancelled, the discovery still begins for the other listeners.
    func joinDiscovery(restarting: Bool) async throws(ManagementError) {
        let (isKept, isDue) = state.withLock { state in
            state.discovery.listeners += 1
            if !state.discovery.isKept { state.discovery.next = .seconds(Int32.max) }
            defer { state.discovery.isKept = true }
            // A discovery that no task keeps running is about to end.
            return (state.discovery.isKept, restarting || !state.discovery.isOurs || !state.discovery.isKept)
        }
        if !isKept, case .terminated = jobs.yield({ [self] in await keepDiscovering() }) {
            return listeners.end()
        }
        guard isDue else { return wakeKeeper() }
        let begun = OneShot<Result<Void, ManagementError>>()
        let handedOver = jobs.yield { [self] in await uncancelled { [self] in begun.resolve(await begin()) } }
        if case .terminated = handedOver { return listeners.end() }
        guard let result = await begun.value() else { throw .cancelled }
        try result.get()
    }

    private func begin() async -> Result<Void, ManagementError> {
        guard (try? await discovering.acquire()) != nil else { return .failure(.cancelled) }
        defer {
            discovering.release()
            wakeKeeper()
        }
        // The listener may have left meanwhile.
        let isWanted = state.withLock { state in
            state.discovery.step = 0
            return state.discovery.listeners > 0 && !state.discovery.isOver
        }
        guard isWanted else { return .success(()) }
        do throws(ManagementError) { return .success(try await discover()) } catch { return .failure(error) }
    }

    /// Removes a listener; after the last one the discovery soon ends, if it is ours.
    func leaveDiscovery() {
        state.withLock { $0.discovery.leave(at: time.now) }
        wakeKeeper()
    }

    /// Makes the kernel hear a device again. While a discovery runs, the kernel connects only to a device that it hears,
    /// and it hears each device once per discovery. So this begins another discovery, or ends the running one if there are
    /// no listeners.
    func restartDiscoveryForConnection() {
        let isHeard = state.withLock { state in
            if state.discovery.listeners == 0 { state.discovery.lingersUntil = .zero }
            return state.discovery.listeners > 0 && state.discovery.isOurs
        }
        guard isHeard else { return wakeKeeper() }
        jobs.yield { [self] in
            await uncancelled { [self] in await discoverAgain(step: { _ in 0 }) { $0.isOurs } }
        }
    }

    private func wakeKeeper() { state.withLock { $0.discovery.wakeUp }?.resolve(()) }

    /// Begins another discovery when it is due, and ends our discovery when it is no longer wanted.
    private func keepDiscovering() async {
        while !Task.isCancelled, let wait = state.withLock({ $0.discovery.wait(at: time.now) }) {
            _ = try? await time.within(max(.zero, wait.until - time.now)) { await wait.orFor.value() }
            guard !Task.isCancelled else { break }
            await uncancelled { [self] in
                let now = time.now
                await discoverAgain(step: { $0 + 1 }) { $0.next <= now }
            }
        }
        let isOver = Task.isCancelled
        await uncancelled { [self] in
            guard (try? await discovering.acquire()) != nil else { return }
            defer { discovering.release() }
            let isLeft = state.withLock { state in
                state.discovery.isOver = isOver
                return state.discovery.isOurs && (isOver || !state.discovery.isKept)
            }
            if isLeft { await endDiscovery() }
        }
    }

    /// Begins a discovery after another program's discovery has ended, or ours was ended for a connection. It reports all
    /// devices again.
    func takeOverDiscovery() async { await discoverAgain(step: { _ in 0 }) { !$0.isOurs } }

    private func discoverAgain(
        step: @Sendable (Int) -> Int, where isDue: @Sendable (DiscoveryState) -> Bool
    ) async {
        guard (try? await discovering.acquire()) != nil else { return }
        defer {
            discovering.release()
            wakeKeeper()
        }
        let isWanted = state.withLock { state in
            guard state.discovery.listeners > 0, !state.discovery.isOver, isDue(state.discovery) else {
                return false
            }
            state.discovery.step = step(state.discovery.step)
            return true
        }
        guard isWanted else { return }
        do throws(ManagementError) { try await discover() } catch {
            log.debug("the next discovery did not begin: \(error)")
        }
    }

    /// Begins a discovery, and ends the previous one before if it was ours. While another program's discovery runs,
    /// that one is used, although it omits what it has already reported. Only the task that holds `discovering` calls
    /// this.
    private func discover() async throws(ManagementError) {
        let events = management.events()
        let (isOurs, begun) = state.withLock { ($0.discovery.isOurs, $0.discovery.begun) }
        if isOurs {
            // Our discovery has run without interruption since `begun`.
            if let begun { listeners.noteSilence(from: begun, to: time.now) }
            await endDiscovery()
        }
        state.withLock { $0.discovery.schedule(at: time.now) }
        if try await startDiscovery() { return }
        if try await hasJustEnded(events), try await startDiscovery() { return }
        noteForeignDiscovery()
    }

    /// Begins a discovery; false while another one runs.
    private func startDiscovery() async throws(ManagementError) -> Bool {
        do throws(ManagementError) { try await perform(.startDiscovery) } catch {
            if case .refused(.busy, _) = error { return false }
            // The discovery may begin all the same, and then has to be ended.
            if error == .cancelled { state.withLock { $0.discovery.isOurs = true } }
            throw error
        }
        state.withLock { $0.discovery.begin(at: time.now) }
        return true
    }

    private func endDiscovery() async {
        state.withLock { $0.discovery.isEnding = true }
        let events = management.events()
        var isDone = false
        do throws(ManagementError) {
            do throws(ManagementError) { try await perform(.stopDiscovery) } catch {
                // The discovery has ended by itself, or the kernel has reported its start but does not count it as on
                // yet.
                guard case .refused(.rejected, _) = error, await nextChange(in: events) == true else {
                    throw error
                }
                try await perform(.stopDiscovery)
            }
            isDone = true
        } catch { log.debug("the discovery was not ended: \(error)") }
        state.withLock { state in
            state.discovery.isOurs = false
            state.discovery.ended = time.now
            if !isDone { state.discovery.isEnding = false }
        }
    }

    /// Waits until the kernel has ended our own discovery, which it does after its answer to the command. Returns false
    /// without waiting if no discovery of ours was ended within `endingLimit`.
    private func hasJustEnded(
        _ events: AsyncStream<(UInt16, ManagementEvent)>
    ) async throws(ManagementError) -> Bool {
        guard let ended = state.withLock({ $0.discovery.ended }), time.now - ended < Self.endingLimit else {
            return false
        }
        if await nextChange(in: events) == true { _ = await nextChange(in: events) }
        guard !Task.isCancelled else { throw .cancelled }
        return true
    }

    /// Whether discovery is on, according to the kernel's next report; nil if none arrives within `endingLimit`.
    private func nextChange(in events: AsyncStream<(UInt16, ManagementEvent)>) async -> Bool? {
        let index = index
        return try? await time.within(Self.endingLimit) {
            for await (controller, event) in events where controller == index {
                if case .discovering(let isOn) = event { return isOn }
            }
            throw CancellationError()
        }
    }

    private func noteForeignDiscovery() {
        let isNews = state.withLock { state -> Bool in
            state.discovery.deafness.begin(at: time.now)
            state.discovery.since = nil
            defer { state.discovery.isForeign = true }
            return !state.discovery.isForeign
        }
        guard isNews else { return }
        log.warning(
            """
            another program is scanning with \(name); beacons that it has heard already may appear only after its \
            scan ends
            """)
    }

    /// All reports until the listener stops, or the controller is removed or switched off. Another call then waits for
    /// the controller's return, and throws the reason if it does not return.
    public func advertisements() async throws(AdapterError) -> AsyncStream<Advertisement> {
        try await listen(restarting: true)
    }

    /// Like ``advertisements()``, but devices that the running discovery has already reported are not reported
    /// again at once.
    public func furtherAdvertisements() async throws(AdapterError) -> AsyncStream<Advertisement> {
        try await listen(restarting: false)
    }

    public func scanHistory() -> ScanHistory {
        ScanHistory(
            listeningSince: state.withLock { $0.discovery.since },
            sightings: listeners.sightings(at: time.now))
    }

    /// Tries again after a refusal: a controller refuses commands already before its removal is reported.
    private func listen(restarting: Bool) async throws(AdapterError) -> AsyncStream<Advertisement> {
        let deadline = time.now + Self.returnLimit
        var pause = Duration.milliseconds(250)
        while true {
            try await awaitController(by: deadline)
            // Listening begins before the discovery does.
            let (stream, listener) = listeners.add { [self] in leaveDiscovery() }
            do throws(ManagementError) {
                try await joinDiscovery(restarting: restarting)
                if listeners.isOver { listener.finish() }
                return stream
            } catch {
                listener.finish()
                guard error.meansControllerAway, time.now + pause < deadline else {
                    throw adapterError(error)
                }
            }
            do { try await time.sleep(for: pause) } catch { throw .cancelled }
            pause *= 2
        }
    }

    private func adapterError(_ error: ManagementError) -> AdapterError {
        switch error {
        case .refused(.permissionDenied, _): .notPermitted(capability: "CAP_NET_ADMIN", to: "scan")
        case .refused(.notPowered, _), .refused(.rfkilled, _): .unavailable("\(name) is off")
        case .refused(.invalidIndex, _): .unavailable("no adapter \(name)")
        case .cancelled: .cancelled
        default: .unavailable("\(name) cannot scan: \(error)")
        }
    }
}

extension ManagementError {
    fileprivate var meansControllerAway: Bool {
        switch self {
        case .refused(.notPowered, _), .refused(.rfkilled, _), .refused(.invalidIndex, _): true
        default: false
        }
    }
}
