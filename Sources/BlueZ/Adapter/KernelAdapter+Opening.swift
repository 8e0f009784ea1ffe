public import Bluetooth
import Logging
import Synchronization

extension KernelAdapter {
    /// How long other copies of this program may keep us from connecting: several of their attempts.
    private static var turnLimit: Duration { .seconds(30) }

    public struct Opening: Sendable {
        let channel: LinkChannel
        let peer: DeviceAddress
        let linkRequest: LinkRequest
        /// When the channel has to be open; time spent waiting for other connections does not count.
        var deadline: Duration
        var attempts: AttemptLengths
        /// Whether the link parameters were passed to the kernel.
        var hasSetParameters = false
    }

    /// Opens a channel to `peer`. A new link gets the parameters of `linkRequest` as far as controller and kernel
    /// allow; an existing one keeps its own.
    public func open(
        _ channel: LinkChannel, to peer: DeviceAddress, asking linkRequest: LinkRequest,
        within limit: Duration
    ) async throws(AdapterError) -> KernelChannel {
        let needed = connectionTime(of: peer)
        let limit = linkRequest.isLimitChosen ? limit : needed?.extending(limit) ?? limit
        var opening = Opening(
            channel: channel, peer: peer, linkRequest: linkRequest,
            deadline: time.now + limit, attempts: AttemptLengths(for: needed))
        var pause = Duration.milliseconds(200)
        while true {
            try await awaitController(by: opening.deadline)
            switch try await attemptInTurn(&opening) {
            case .success(let open?): return open
            case .success(nil): continue
            case .failure(let failure):
                guard failure.deservesRetry || failure == .timedOut, !isRefusal(failure, of: opening),
                    time.now + pause < opening.deadline
                else { throw adapterError(failure, opening) }
                log.debug("connecting to \(peer): \(failure), trying again")
            }
            do { try await time.sleep(for: pause) } catch { throw .cancelled }
            pause = min(pause * 2, .seconds(2))
            opening.attempts.lengthen(for: connectionTime(of: peer))
        }
    }

    /// Makes one attempt, while no other program connects with this controller. A controller makes one connection at a
    /// time; some kernels answer a second attempt with EBUSY; and Debian's 6.1 corrupts its list of channels when one
    /// socket gives up a link that is being established for another (docs/decisions/0021).
    private func attemptInTurn(
        _ opening: inout Opening
    ) async throws(AdapterError) -> Result<KernelChannel?, ConnectFailure> {
        let begin = time.now
        do { try await connecting.acquire(priority: opening.linkRequest.priority) } catch { throw .cancelled }
        defer { connecting.release() }
        let turn: NamedLock?
        do throws(NamedLock.Owner) {
            turn = try await NamedLock.take(
                locks.prefix + "connecting/\(key)", within: Self.turnLimit, by: time,
                readiness: environment.readiness)
        } catch { throw .connectingElsewhere(adapter: name, by: "\(error)") }
        defer { withExtendedLifetime(turn) {} }
        guard !Task.isCancelled else { throw .cancelled }
        opening.deadline += time.now - begin
        do throws(ConnectFailure) { return .success(try await attempt(&opening)) } catch let failure {
            return .failure(failure)
        }
    }

    /// Makes one attempt; nil if the link that was joined is stale, so that another attempt is due.
    private func attempt(_ opening: inout Opening) async throws(ConnectFailure) -> KernelChannel? {
        let (peer, linkRequest) = (opening.peer, opening.linkRequest)
        // Checked for each attempt: the channel that blocked the last attempt may have left a stale link.
        let isNew = !isLinked(to: peer)
        if isNew {
            do throws(AdapterError) { try await endStaleLink(to: peer, by: opening.deadline) } catch {
                throw .cancelled
            }
        }
        if isNew, !opening.hasSetParameters {
            opening.hasSetParameters = true
            await setParameters(linkRequest, for: peer)
            warnOfForeignDiscovery(peer)
        }
        if isNew { restartDiscoveryForConnection() }
        let socket: PacketSocket
        do throws(ConnectFailure) {
            socket = try await connect(opening)
        } catch {
            // The link may have been established just too late.
            if error == .timedOut || error == .cancelled, isNew {
                state.withLock { _ = $0.staleLinks.insert(peer) }
            }
            throw error
        }
        // Every channel of that link has closed in the meantime: it is stale.
        if !isNew, !isLinked(to: peer) {
            socket.close()
            return nil
        }
        let open = adopt(socket, opening.channel, to: peer)
        if isNew { tune(open, as: linkRequest) } else { open.tuned.resolve(()) }
        return open
    }

    /// Connects; gives up early if others wait and the attempt has used its share.
    private func connect(_ opening: Opening) async throws(ConnectFailure) -> PacketSocket {
        let wanted = max(.zero, min(opening.attempts.limit, opening.deadline - time.now))
        let (limit, before) = await raiseKernelTimeout(forAttemptOf: wanted)
        let result = await connect(opening, within: limit)
        if let before { await restore(before) }
        return try result.get()
    }

    private func connect(
        _ opening: Opening, within limit: Duration
    ) async -> Result<PacketSocket, ConnectFailure> {
        let fullSignal = OneShot<Void>()
        state.withLock { state in
            state.isFull = false
            state.fullSignal = fullSignal
            state.connecting.begin(at: time.now)
        }
        defer { state.withLock { $0.connecting.end(at: time.now) } }
        let result = await withTaskGroup(of: Result<PacketSocket, ConnectFailure>?.self) { group in
            group.addTask { [environment, address] in
                do throws(ConnectFailure) {
                    return .success(
                        try await environment.connect(
                            opening.channel, from: address, to: opening.peer, within: limit))
                } catch { return .failure(error) }
            }
            group.addTask { [time, connecting] in
                if (try? await time.sleep(for: opening.attempts.share)) != nil {
                    await connecting.contention()
                }
                return nil
            }
            // Debian's 6.1 does not report a late refusal to the socket.
            group.addTask {
                _ = await fullSignal.value()
                return nil
            }
            var result = Result<PacketSocket, ConnectFailure>.failure(.cancelled)
            for await end in group {
                group.cancelAll()
                if let end { result = end }
            }
            return result
        }
        guard case .failure(let failure) = result, !Task.isCancelled else { return result }
        if state.withLock({ $0.isFull }) { return .failure(.tooManyLinks) }
        return .failure(failure == .cancelled ? .timedOut : failure)
    }

    /// Whether `failure` means that the peer refuses this channel on an established link.
    private func isRefusal(_ failure: ConnectFailure, of opening: Opening) -> Bool {
        failure == .refused && opening.channel != .attributes && isLinked(to: opening.peer)
    }

    private func adapterError(_ failure: ConnectFailure, _ opening: Opening) -> AdapterError {
        switch failure {
        case .refused where isRefusal(failure, of: opening):
            .unavailable("\(opening.peer) refuses this channel: \(opening.channel)")
        case .timedOut, .refused: .noAnswer(opening.peer)
        case .cancelled: .cancelled
        case .busy: .held(opening.peer)
        case .tooManyLinks: .tooManyLinks(adapter: name)
        case .adapterDown: .unavailable("\(name) is off or gone")
        case .system(let call, let errno): .system(call: call, errno: errno)
        }
    }

    /// While a discovery runs, the kernel connects after the next advertisement that the controller reports, and a
    /// controller that filters duplicates reports a beacon once per discovery.
    private func warnOfForeignDiscovery(_ peer: DeviceAddress) {
        guard state.withLock({ $0.discovery.isForeign }) else { return }
        log.warning(
            "another program is scanning with \(name); connecting to \(peer) may have to wait until its scan ends"
        )
    }

    private enum Pairing: Equatable, Sendable {
        case encrypted
        case failed(String)
        /// The socket reports only that the link is gone.
        case linkEnded
    }

    /// How much later than the end of a link its reason may arrive.
    private static let reasonLimit = Duration.milliseconds(500)

    /// Encrypts the link with the stored key of a bond, or pairs without passkey or number ("just works").
    ///
    /// After a failure the kernel leaves the socket unusable, so the channel is closed. IO capability and
    /// bondable mode stay as they are: the kernel's defaults are "no input, no output" and, unless a daemon has
    /// changed it, a key for this link alone.
    public func encrypt(_ channel: KernelChannel, within limit: Duration) async throws(AdapterError) {
        let events = management.events()
        do throws(AdapterError) {
            try await channel.whileEncrypting { () async throws(AdapterError) in
                try await self.pair(channel, events, within: limit)
            }
        } catch {
            channel.close()
            throw error
        }
    }

    private func pair(
        _ channel: KernelChannel, _ events: AsyncStream<(UInt16, ManagementEvent)>, within limit: Duration
    ) async throws(AdapterError) {
        let peer = channel.peer
        let code = channel.options.encrypt()
        guard code == 0 else {
            // EINVAL also means that the link is encrypted already.
            guard !channel.options.hasKey() else { return }
            throw .notEncrypted(peer, reason: "the kernel refuses with error \(code)")
        }
        let outcome: Pairing?
        do {
            outcome = try await time.within(limit) { [self] in
                await withTaskGroup(of: Pairing?.self) { group in
                    group.addTask { [self] in await agree(to: peer, events) }
                    group.addTask { [self] in
                        if await channel.encryption() { return .encrypted }
                        try? await time.sleep(for: Self.reasonLimit)
                        return .linkEnded
                    }
                    defer { group.cancelAll() }
                    for await outcome in group { if let outcome { return outcome } }
                    return .linkEnded
                }
            }
        } catch { throw .cancelled }
        guard !Task.isCancelled else { throw .cancelled }
        switch outcome {
        case .encrypted: log.info("the link to \(peer) is encrypted")
        case .failed(let reason): throw .notEncrypted(peer, reason: reason)
        case .linkEnded: throw .notEncrypted(peer, reason: "the link ended")
        case nil:
            let missing = Machine.missingCapabilities.first { $0 == "CAP_NET_ADMIN" }
            throw .notEncrypted(
                peer,
                reason: "no answer within \(limit)"
                    + (missing.map { "; without \($0) a pairing cannot be confirmed" } ?? ""))
        }
    }

    /// Confirms a pairing of `peer` that needs no number or passkey. Returns the reason of a failure, or nil
    /// when the channel is closed.
    private func agree(
        to peer: DeviceAddress, _ events: AsyncStream<(UInt16, ManagementEvent)>
    ) async -> Pairing? {
        for await (controller, event) in events where controller == index {
            switch event {
            case .confirmationRequest(peer, showsNumber: false):
                // A daemon may have been quicker, which is harmless.
                await answer(.confirmPairing(peer))
            case .confirmationRequest(peer, showsNumber: true):
                await answer(.declinePairing(peer))
                return .failed("the beacon requires comparing a number")
            case .passkeyRequest(peer):
                await answer(.declinePasskey(peer))
                return .failed("the beacon requires a passkey")
            case .authenticationFailed(peer, let status): return .failed("pairing failed (\(status))")
            case .deviceDisconnected(peer, let reason): return .failed("the link ended: \(reason)")
            case .indexRemoved: return .failed("\(name) was removed")
            default: break
            }
        }
        return nil
    }

    private func answer(_ reply: ManagementCommand) async {
        do throws(ManagementError) { try await perform(reply) } catch { log.debug("\(error)") }
    }
}
