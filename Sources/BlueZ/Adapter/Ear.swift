import BluetoothTypes
import Radio
import Synchronization

/// Who listens to an adapter, and what was heard lately.
final class Ear: Sendable {
    /// How long who was heard is remembered.
    private static let memory = Duration.seconds(10)

    private struct State: Sendable {
        var listeners: [UInt64: AsyncStream<Advertisement>.Continuation] = [:]
        var nextListener: UInt64 = 0
        var heard = SightingMemory()
        var isOver = false
    }

    private let state = Mutex(State())

    /// Whether nothing will ever be heard again.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// A listener more; returns its number.
    func add(_ listener: AsyncStream<Advertisement>.Continuation) -> UInt64 {
        state.withLock { state in
            defer { state.nextListener += 1 }
            state.listeners[state.nextListener] = listener
            return state.nextListener
        }
    }

    /// A listener less.
    func remove(_ number: UInt64) { state.withLock { _ = $0.listeners.removeValue(forKey: number) } }

    /// Tells all of `report`.
    func hear(_ report: Advertisement, at moment: Duration) {
        let listeners = state.withLock { state in
            state.heard.add(report, at: moment)
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield(report) }
    }

    /// Who was heard in the last seconds before `now`.
    func sightings(at now: Duration) -> [Sighting] {
        state.withLock { state in
            state.heard.forget(before: now - Self.memory)
            return Array(state.heard.sightings.values)
        }
    }

    /// Ends all listening; who was heard is forgotten.
    func finish() {
        let listeners = state.withLock { state in
            state.heard = SightingMemory()
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }

    /// The same, for good.
    func end() {
        state.withLock { $0.isOver = true }
        finish()
    }
}
