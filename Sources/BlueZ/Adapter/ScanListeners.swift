import Bluetooth
import Synchronization

/// The listeners of an adapter, and the devices heard in the last seconds.
final class ScanListeners: Sendable {
    private static let memory = Duration.seconds(10)

    private struct State: Sendable {
        var listeners: [UInt64: AsyncStream<Advertisement>.Continuation] = [:]
        var nextListener: UInt64 = 0
        var heard = SightingMemory()
        var intervals = AdvertisingIntervals()
        var isOver = false
    }

    private let state = Mutex(State())

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Adds a listener, which calls `onLeaving` when it stops.
    func add(
        _ onLeaving: @escaping @Sendable () -> Void
    ) -> (stream: AsyncStream<Advertisement>, listener: AsyncStream<Advertisement>.Continuation) {
        let (stream, listener) = AsyncStream.makeStream(
            of: Advertisement.self, bufferingPolicy: .bufferingNewest(1024))
        let number = state.withLock { state in
            defer { state.nextListener += 1 }
            state.listeners[state.nextListener] = listener
            return state.nextListener
        }
        listener.onTermination = { [self] _ in
            state.withLock { _ = $0.listeners.removeValue(forKey: number) }
            onLeaving()
        }
        return (stream, listener)
    }

    /// Passes on a report of a discovery that began at `begin`; nil if that was another program's.
    func hear(_ report: Advertisement, at moment: Duration, since begin: Duration?) {
        let listeners = state.withLock { state in
            state.heard.add(report, at: moment)
            state.intervals.hear(report.address, at: moment, since: begin)
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield(report) }
    }

    /// The devices that were heard in the last seconds before `now`.
    func sightings(at now: Duration) -> [Sighting] {
        state.withLock { state in
            state.heard.forget(before: now - Self.memory)
            return Array(state.heard.sightings.values)
        }
    }

    var intervals: AdvertisingIntervals { state.withLock { $0.intervals } }

    func noteSilence(from begin: Duration, to end: Duration) {
        state.withLock { $0.intervals.noteSilence(from: begin, to: end) }
    }

    func forgetInterval(of peer: DeviceAddress) { state.withLock { $0.intervals.forget(peer) } }

    func finish() {
        let listeners = state.withLock { state in
            state.heard = SightingMemory()
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }

    func end() {
        state.withLock { $0.isOver = true }
        finish()
    }
}
