public import Bluetooth
import Logging

extension KernelAdapter {
    /// The outcome of encrypting a link.
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
        do throws(ManagementError) { try await perform(reply) } catch {
            log.debug("\(error)")
        }
    }
}
