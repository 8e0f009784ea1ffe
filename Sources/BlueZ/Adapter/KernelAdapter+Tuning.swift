public import Bluetooth
import Bytes
import Logging
import Synchronization

extension KernelAdapter {
    /// Interval and PHY from the controller's events, which need `CAP_NET_RAW`; without them the PHY alone, which the
    /// kernel reports from 5.10 on.
    ///
    /// Waits for a link that is being tuned, since its parameters are about to change.
    public func parameters(of channel: KernelChannel) async -> LinkParameters {
        _ = try? await time.within(Self.tuningTimeout) { await channel.tuned.value() }
        let link = channel.options.handle().flatMap { handle in state.withLock { $0.hci }?.link(handle) }
        return LinkParameters(
            interval: link?.interval, phy: link?.phy ?? channel.options.phy(),
            maximumPacket: channel.maximumPacket)
    }

    /// A change of PHY takes slightly more than six intervals (Vol 6, Part B, 5.1.10).
    private static let tuningTimeout = Duration.milliseconds(250)

    /// Listens to the controller directly, where that is permitted.
    func openHCI() async {
        let index = index
        guard let bearer = environment.openHCISocket(index) else { return }
        // The channel belongs to the controller that has the number when it is opened. The answer to this command
        // arrives after all earlier events, so it shows whether that is still ours.
        guard (try? await perform(.readInformation)) != nil else { return bearer.close() }
        let channel = HCIChannel(bearer: bearer, time: time) { [log, weak self] event, links in
            Self.log(event, links, log)
            if event.isLimitReached { self?.noteFullController() }
        } repeating: { [weak self] handle, linkRequest in
            self?.repeatRequest(linkRequest, on: handle)
        }
        state.withLock { $0.hci = channel }
        jobs.yield { [self] in
            await channel.run()
            state.withLock { if $0.hci === channel { $0.hci = nil } }
        }
    }

    private func noteFullController() {
        let attempt = state.withLock { state in
            state.isFull = true
            return state.fullSignal
        }
        attempt?.resolve(())
    }

    /// Repeats the request after the peer of a link of ours has set another interval.
    private func repeatRequest(_ linkRequest: LinkRequest, on handle: UInt16) {
        jobs.yield { [self] in
            let (hci, ours) = state.withLock { ($0.hci, $0.channels) }
            // Something else may have been requested in the meantime.
            guard let hci, let link = hci.link(handle), ours[link.peer] != nil,
                link.linkRequest == linkRequest
            else { return }
            let peer = link.peer
            log.debug("\(peer) has set another interval: asking for \(linkRequest.interval) once more")
            do throws(HCIError) {
                try await loggingRefusal(by: peer) { () async throws(HCIError) in
                    try await hci.update(handle, to: linkRequest)
                }
            } catch { log.debug("the link to \(peer) stays as it is: \(error)") }
        }
    }

    private static func log(_ event: HCIEvent, _ links: LinkTable, _ log: Logger) {
        switch event {
        case .connectionComplete(let status, _, let peer, _, _) where status != .success:
            log.debug("no link to \(peer): \(status)")
        case .disconnectionComplete(let handle, let reason):
            guard let link = links.links[handle] else { return }
            log.info("the link to \(link.peer) ended: \(reason)")
        default: break
        }
    }

    /// Asks for what a new link under `channel` does not have yet: the requested interval, long data packets, LE 2M
    /// instead of LE 1M. Runs alongside the first attribute requests; a refusal by peer or controller is not an error.
    func tune(_ channel: KernelChannel, as linkRequest: LinkRequest) {
        guard let hci = state.withLock({ $0.hci }), let handle = channel.options.handle() else {
            return channel.tuned.resolve(())
        }
        let peer = channel.peer
        let tuned = channel.tuned
        jobs.yield { [self] in
            defer { tuned.resolve(()) }
            do throws(HCIError) {
                try await loggingRefusal(by: peer) { () async throws(HCIError) in
                    try await hci.update(handle, to: linkRequest)
                }
                try await loggingRefusal(by: peer) { () async throws(HCIError) in
                    try await hci.requestLongPackets(on: handle)
                }
                try await loggingRefusal(by: peer) { () async throws(HCIError) in
                    try await hci.requestLE2M(on: handle)
                }
            } catch {
                if error == .notPermitted { state.withLock { $0.hci = nil } }
                return log.debug("the link to \(peer) stays as it is: \(error)")
            }
            if let link = hci.link(handle) {
                let phy = link.phy?.rawValue ?? "unknown"
                log.debug("the link to \(peer): \(link.interval), \(link.sendOctets) octets, PHY \(phy)")
            }
        }
    }

    /// Sets this interval on every link of ours whose interval no user has chosen. Does nothing without the raw HCI
    /// channel, which needs `CAP_NET_RAW`.
    public func retune(interval: Duration) async {
        let (hci, ours, linkRequests) = state.withLock { ($0.hci, $0.channels, $0.linkRequests) }
        guard let hci else { return }
        for (handle, link) in hci.links.sorted(by: { $0.key < $1.key }) where ours[link.peer] != nil {
            var linkRequest = linkRequests[link.peer] ?? LinkRequest()
            guard !linkRequest.isIntervalChosen else { continue }
            linkRequest.interval = interval
            do throws(HCIError) {
                try await loggingRefusal(by: link.peer) { () async throws(HCIError) in
                    try await hci.update(handle, to: linkRequest)
                }
            } catch { return log.debug("the links stay as they are: \(error)") }
        }
    }

    /// Runs `step`; a refusal by the controller or the peer is only logged.
    private func loggingRefusal(
        by peer: DeviceAddress, _ step: () async throws(HCIError) -> Void
    ) async throws(HCIError) {
        do throws(HCIError) { try await step() } catch {
            switch error {
            case .refused, .noAnswer: log.debug("the link to \(peer) stays as it is: \(error)")
            case .notPermitted, .closed, .cancelled: throw error
            }
        }
    }
}

extension HCIEvent {
    /// Whether the controller has refused a connection, at once or later, because it has as many as it supports
    /// (Connection Limit Exceeded).
    fileprivate var isLimitReached: Bool {
        switch self {
        case .connectionComplete(.limitExceeded, _, _, _, _): true
        case .commandStatus(HCICommand.Opcode.createConnection, .limitExceeded),
            .commandStatus(HCICommand.Opcode.createExtendedConnection, .limitExceeded):
            true
        default: false
        }
    }
}

extension HCIChannel {
    /// Sets the requested interval on a link, unless the link has it already.
    func update(_ handle: UInt16, to linkRequest: LinkRequest) async throws(HCIError) {
        note(linkRequest, for: handle)
        let steps = LinkSteps(linkRequest)
        guard link(handle)?.interval != .microseconds(1250) * Int(steps.interval) else { return }
        try await perform(.connectionUpdate(handle, steps)) {
            if case .connectionUpdate(let status, handle, _, _) = $0 { status } else { nil }
        }
    }

    func requestLongPackets(on handle: UInt16) async throws(HCIError) {
        guard link(handle)?.sendOctets != Int(HCICommand.longestData.octets) else { return }
        try await perform(.setDataLength(handle))
    }

    /// Asks for LE 2M on a link on LE 1M. A link on LE Coded stays there: its peer has chosen range over speed, and may
    /// be out of range of LE 2M.
    func requestLE2M(on handle: UInt16) async throws(HCIError) {
        guard try await sendingPHY(of: handle) == .le1M else { return }
        try await perform(.setPHY(handle)) {
            if case .phyUpdate(let status, handle, _) = $0 { status } else { nil }
        }
    }

    func sendingPHY(of handle: UInt16) async throws(HCIError) -> PHY? {
        let command = HCICommand.readPHY(handle)
        var answer = try await perform(command)
        guard let (link, phy) = try? PHY.ofLink(parsing: &answer), link == handle else {
            throw .noAnswer(command: command.name)
        }
        return phy
    }
}
