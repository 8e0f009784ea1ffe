public import BluetoothTypes
import Logging
public import Radio
import Synchronization
import Timing

extension KernelAdapter {
    /// How long one discovery runs before the next: the kernel passes a beacon's report on once a discovery,
    /// so one that rotates its frames shows another frame each time. The first ones are short: a report that
    /// comes before the kernel has noted that discovery is on is dropped, and not repeated in that discovery.
    private static let firstDiscovery = Duration.seconds(1)
    private static let longestDiscovery = Duration.seconds(4)

    /// Everything heard until the listener stops, or the controller is removed or switched off: asking again
    /// then waits for its return, and throws the reason when it does not come.
    public func advertisements() async throws(AdapterError) -> AsyncStream<Advertisement> {
        try await awaitReadiness()
        let events = management.events()
        let isOurs = try await startDiscovery()
        let (stream, listener) = AsyncStream.makeStream(
            of: Advertisement.self, bufferingPolicy: .bufferingNewest(1024))
        let (ended, end) = AsyncStream.makeStream(of: Never.self)
        listener.onTermination = { _ in end.finish() }
        let discovery = Discovery(isOurs: isOurs)
        let handedOver = jobs.yield { [self] in
            await withDiscardingTaskGroup { group in
                group.addTask { [self] in
                    for await (controller, event) in events where controller == index {
                        switch event {
                        case .deviceFound(let report): listener.yield(report)
                        // Whoever scans on is told the reason, when it asks again.
                        case .indexRemoved:
                            presence.become(.removed)
                            listener.finish()
                        case .newSettings(let settings) where !settings.contains(.powered):
                            presence.become(.switchedOff)
                            listener.finish()
                        default: break
                        }
                    }
                    listener.finish()
                }
                group.addTask { [self] in await keepDiscovering(discovery) }
                for await _ in ended {}
                group.cancelAll()
            }
            await uncancelled { [self] in await stop(discovery) }
            listener.finish()
        }
        if case .terminated = handedOver {
            await uncancelled { [self] in await stop(discovery) }
            listener.finish()
        }
        return stream
    }

    /// Whether the discovery that runs is ours to stop; another program's is not.
    private final class Discovery: Sendable {
        let isOurs: Atomic<Bool>
        init(isOurs: Bool) { self.isOurs = Atomic(isOurs) }
    }

    private func stop(_ discovery: Discovery) async {
        guard discovery.isOurs.exchange(false, ordering: .relaxed) else { return }
        state.withLock { $0.discoveries -= 1 }
        _ = try? await management.perform(.stopDiscovery, on: index)
    }

    /// Begins a discovery; false when somebody else's runs already, which then serves us too.
    private func startDiscovery() async throws(AdapterError) -> Bool {
        do throws(ManagementError) {
            try await management.perform(.startDiscovery, on: index)
            state.withLock { state in
                state.discoveries += 1
                state.isForeignDiscovery = false
            }
            return true
        } catch {
            switch error {
            case .refused(.busy, _):
                noteForeignDiscovery()
                return false
            case .refused(.permissionDenied, _):
                throw .notPermitted(capability: "CAP_NET_ADMIN", to: "scan")
            case .refused(.notPowered, _), .refused(.rfkilled, _):
                throw .unavailable("\(name) is off")
            case .refused(.invalidIndex, _): throw .unavailable("there is no \(name)")
            case .cancelled: throw .cancelled
            default: throw .unavailable("\(name) cannot scan: \(error)")
            }
        }
    }

    private func noteForeignDiscovery() {
        let isNews = state.withLock { state -> Bool in
            guard state.discoveries == 0, !state.isForeignDiscovery else { return false }
            state.isForeignDiscovery = true
            return true
        }
        guard isNews else { return }
        log.warning(
            """
            another program is scanning with \(name); what it has heard already may be heard again only when its \
            scan has ended
            """)
    }

    private func keepDiscovering(_ discovery: Discovery) async {
        var length = Self.firstDiscovery
        while (try? await time.sleep(for: length)) != nil {
            length = min(length * 2, Self.longestDiscovery)
            await uncancelled { [self] in
                await stop(discovery)
                do throws(AdapterError) {
                    discovery.isOurs.store(try await startDiscovery(), ordering: .relaxed)
                } catch { log.debug("the next discovery did not begin: \(error)") }
            }
        }
    }
}
