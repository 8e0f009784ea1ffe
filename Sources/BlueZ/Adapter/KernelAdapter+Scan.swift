public import BluetoothTypes
import Logging
public import Radio
import Synchronization
import Timing

extension KernelAdapter {
    /// Everything heard until the listener stops, or the controller is removed or switched off: asking again
    /// then waits for its return, and throws the reason when it does not come.
    public func advertisements() async throws(AdapterError) -> AsyncStream<Advertisement> {
        let events = try await beginListening()
        let (stream, listener) = AsyncStream.makeStream(
            of: Advertisement.self, bufferingPolicy: .bufferingNewest(1024))
        let (ended, end) = AsyncStream.makeStream(of: Never.self)
        listener.onTermination = { _ in end.finish() }
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
                group.addTask { [self] in await keepDiscovering() }
                for await _ in ended {}
                group.cancelAll()
            }
            await uncancelled { [self] in await leaveDiscovery() }
            listener.finish()
        }
        if case .terminated = handedOver {
            await uncancelled { [self] in await leaveDiscovery() }
            listener.finish()
        }
        return stream
    }

    /// The controller's news from before a discovery begins.
    ///
    /// A controller that goes away refuses before its going is told, so a refusal is no reason to give up yet.
    private func beginListening() async throws(AdapterError)
        -> AsyncStream<(UInt16, ManagementEvent)>
    {
        let deadline = time.now + Self.returnLimit
        var pause = Duration.milliseconds(250)
        while true {
            try await awaitReadiness(by: deadline)
            let events = management.events()
            do throws(ManagementError) {
                try await joinDiscovery()
                return events
            } catch {
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
