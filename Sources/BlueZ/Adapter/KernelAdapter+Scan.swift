public import Bluetooth
import Logging
import Synchronization

extension KernelAdapter {
    /// Everything heard until the listener stops, or the controller is removed or switched off. Asking again
    /// then waits for its return, and throws the reason if it does not return.
    public func advertisements() async throws(AdapterError) -> AsyncStream<Advertisement> {
        try await listen(afresh: true)
    }

    /// Like ``advertisements()``, but devices that the running discovery has already reported are not reported
    /// again at once.
    public func furtherAdvertisements() async throws(AdapterError) -> AsyncStream<Advertisement> {
        try await listen(afresh: false)
    }

    /// The devices that any listener heard in the last seconds.
    public func scanHistory() -> ScanHistory {
        ScanHistory(
            listeningSince: state.withLock { $0.discovery.since },
            sightings: listeners.sightings(at: time.now))
    }

    /// A controller refuses commands before its removal is reported, so a refusal is no reason to give up yet.
    private func listen(afresh: Bool) async throws(AdapterError) -> AsyncStream<Advertisement> {
        let deadline = time.now + Self.returnLimit
        var pause = Duration.milliseconds(250)
        while true {
            try await awaitReadiness(by: deadline)
            // Listening begins before the discovery does.
            let (stream, listener) = AsyncStream.makeStream(
                of: Advertisement.self, bufferingPolicy: .bufferingNewest(1024))
            let number = listeners.add(listener)
            listener.onTermination = { [self] _ in
                listeners.remove(number)
                leaveDiscovery()
            }
            do throws(ManagementError) {
                try await joinDiscovery(afresh: afresh)
                if listeners.isOver { listener.finish() }
                return stream
            } catch {
                listener.finish()
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
        case .refused(.invalidIndex, _): .unavailable("no adapter \(name)")
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
