import Bluetooth
import Logging
import Synchronization

extension KernelAdapter {
    /// Whether a channel of ours to `peer` is open, which means that there is a link.
    func isLinked(to peer: DeviceAddress) -> Bool { state.withLock { $0.channels[peer] != nil } }

    /// Wraps a connected socket as a channel, which is counted until it closes.
    func adopt(_ socket: PacketSocket, _ kind: LinkChannel, to peer: DeviceAddress) -> KernelChannel {
        state.withLock { state in
            state.channels[peer, default: 0] += 1
            state.left.remove(peer)
        }
        return KernelChannel(to: peer, kind, on: socket, options: ChannelOptions(of: socket)) { [weak self] in
            self?.release(peer)
        }
    }

    /// A link whose last channel has closed is stale.
    func release(_ peer: DeviceAddress) {
        state.withLock { state in
            guard let count = state.channels[peer], count > 1 else {
                state.channels[peer] = nil
                state.left.insert(peer)
                return
            }
            state.channels[peer] = count - 1
        }
    }

    /// A link that we have left stays up for 2 s, and a new socket would join its old attribute session, with
    /// the MTU exchanged and notifications on. Ends that link, and waits for the end.
    func endStaleLink(to peer: DeviceAddress, by deadline: Duration) async throws(AdapterError) {
        guard state.withLock({ $0.left.contains(peer) }) else { return }
        let events = management.events()
        let index = index
        do throws(ManagementError) { try await perform(.disconnect(peer)) } catch {
            switch error {
            case .refused(.notConnected, _), .refused(.disconnected, _): return forget(peer)
            case .cancelled: throw .cancelled
            default: log.debug("the old link to \(peer): \(error)")
            }
        }
        do {
            _ = try await time.within(min(.seconds(3), max(.zero, deadline - time.now))) {
                for await (controller, event) in events where controller == index {
                    if case .deviceDisconnected(peer, _) = event { return }
                    if case .indexRemoved = event { return }
                }
            }
        } catch { throw .cancelled }
        guard !Task.isCancelled else { throw .cancelled }
        forget(peer)
    }

    private func forget(_ peer: DeviceAddress) { state.withLock { _ = $0.left.remove(peer) } }

    /// The kernel has to know interval and supervision timeout before it connects. Without `CAP_NET_ADMIN` it
    /// uses its defaults.
    func ask(_ linkRequest: LinkRequest, for peer: DeviceAddress) async {
        state.withLock { $0.preferences[peer] = linkRequest }
        await loadRequests()
    }

    /// The list replaces the kernel's, so it always includes every entry.
    func loadRequests() async {
        let preferences = state.withLock { $0.preferences }
        guard !preferences.isEmpty else { return }
        let list = preferences.map { address, linkRequest in
            ConnectionParameters(
                address: address, interval: linkRequest.interval,
                supervisionTimeout: linkRequest.supervisionTimeout)
        }
        do throws(ManagementError) {
            try await perform(.loadConnectionParameters(list))
        } catch { log.info("link parameters were not set: \(error)") }
    }
}
