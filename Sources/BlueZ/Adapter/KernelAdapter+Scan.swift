public import BluetoothTypes
import Logging
public import Radio
import Synchronization
import Timing

extension KernelAdapter {
    /// How long one discovery runs before the next: the kernel passes a beacon's report on once a discovery,
    /// so one that rotates its frames shows another frame each time. The first ones are short: a report that
    /// comes before the kernel has noted that discovery is on is dropped, and not repeated in that discovery.
    /// The last length stays.
    private static let discoveries: [Duration] = [.seconds(1), .seconds(1), .seconds(2), .seconds(4)]

    /// Everything heard until the listener stops, or the controller is removed or switched off: asking again
    /// then waits for its return, and throws the reason when it does not come.
    public func advertisements() async throws(AdapterError) -> AsyncStream<Advertisement> {
        let events: AsyncStream<(UInt16, ManagementEvent)>
        let isOurs: Bool
        (events, isOurs) = try await beginListening()
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
                            await look()  // this news may be older than what somebody has done since
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

    /// The controller's news from before a discovery begins, and whether that discovery is ours.
    ///
    /// A controller that goes away refuses before its going is told, so a refusal is no reason to give up yet.
    private func beginListening() async throws(AdapterError) -> (
        AsyncStream<(UInt16, ManagementEvent)>, Bool
    ) {
        let deadline = time.now + Self.returnLimit
        var pause = Duration.milliseconds(250)
        while true {
            try await awaitReadiness(by: deadline)
            let events = management.events()
            do throws(ManagementError) { return (events, try await startDiscovery()) } catch {
                guard error.saysAway, time.now + pause < deadline else { throw adapterError(error) }
            }
            do { try await time.sleep(for: pause) } catch { throw .cancelled }
            pause *= 2
        }
    }

    private func adapterError(_ error: ManagementError) -> AdapterError {
        switch error {
        case .refused(.permissionDenied, _): .notPermitted(capability: "CAP_NET_ADMIN", to: "scan")
        case .refused(.notPowered, _), .refused(.rfkilled, _): .unavailable("\(name) is off")
        case .refused(.invalidIndex, _): .unavailable("there is no \(name)")
        case .cancelled: .cancelled
        default: .unavailable("\(name) cannot scan: \(error)")
        }
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
    private func startDiscovery() async throws(ManagementError) -> Bool {
        do throws(ManagementError) {
            try await management.perform(.startDiscovery, on: index)
            state.withLock { state in
                state.discoveries += 1
                state.isForeignDiscovery = false
            }
            return true
        } catch {
            guard case .refused(.busy, _) = error else { throw error }
            noteForeignDiscovery()
            return false
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
        var lengths = Self.discoveries[...]
        while let length = lengths.first, (try? await time.sleep(for: length)) != nil {
            if lengths.count > 1 { lengths = lengths.dropFirst() }
            await uncancelled { [self] in
                await stop(discovery)
                do throws(ManagementError) {
                    discovery.isOurs.store(try await startDiscovery(), ordering: .relaxed)
                } catch { log.debug("the next discovery did not begin: \(error)") }
            }
        }
    }
}

extension ManagementError {
    /// Whether the controller is off or gone.
    fileprivate var saysAway: Bool {
        switch self {
        case .refused(.notPowered, _), .refused(.rfkilled, _), .refused(.invalidIndex, _): true
        default: false
        }
    }
}
