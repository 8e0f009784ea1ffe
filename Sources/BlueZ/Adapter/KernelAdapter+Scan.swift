public import BluetoothTypes
import Logging
public import Radio
import Timing

extension KernelAdapter {
    /// How long one discovery runs before the next: the kernel passes a beacon's report on once a discovery,
    /// so one that rotates its frames shows another frame each time.
    private static let discoveryLength = Duration.seconds(4)

    /// Everything heard until the listener stops.
    public func advertisements() async throws(AdapterError) -> AsyncStream<Advertisement> {
        try checkPresence()
        let events = management.events()
        try await startDiscovery()
        let (stream, listener) = AsyncStream.makeStream(
            of: Advertisement.self, bufferingPolicy: .bufferingNewest(1024))
        let (ended, end) = AsyncStream.makeStream(of: Never.self)
        listener.onTermination = { _ in end.finish() }
        jobs.yield { [self] in
            await withDiscardingTaskGroup { group in
                group.addTask { [index] in
                    for await (controller, event) in events where controller == index {
                        switch event {
                        case .deviceFound(let report): listener.yield(report)
                        case .indexRemoved: listener.finish()
                        default: break
                        }
                    }
                    listener.finish()
                }
                group.addTask { await self.keepDiscovering() }
                for await _ in ended {}
                group.cancelAll()
            }
            // Whoever else scans goes on; stopping ours is all we may do.
            _ = try? await management.perform(.stopDiscovery, on: index)
        }
        return stream
    }

    private func startDiscovery() async throws(AdapterError) {
        do throws(ManagementError) { try await management.perform(.startDiscovery, on: index) } catch {
            switch error {
            case .refused(.busy, _): log.debug("somebody else is scanning; listening along")
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

    private func keepDiscovering() async {
        while (try? await time.sleep(for: Self.discoveryLength)) != nil {
            _ = try? await management.perform(.stopDiscovery, on: index)
            guard (try? await startDiscovery()) != nil else { return }
        }
    }
}
