package import Bluetooth
import Synchronization
package import UpdateModel

/// The reported events with their times.
package final class EventLog: Sendable {
    private let time: Timekeeper
    private let events = Mutex<[(Duration, UpdateEvent)]>([])

    package init(_ time: Timekeeper) { self.time = time }

    package func add(_ event: UpdateEvent) {
        let now = time.now
        events.withLock { $0.append((now, event)) }
    }

    package var all: [UpdateEvent] { events.withLock { $0.map(\.1) } }
    package var moments: [Duration] { events.withLock { $0.map(\.0) } }

    /// How long ago `phase` last began; nil if it has not.
    package func age(of phase: UpdatePhase) -> Duration? {
        let start = events.withLock { $0.last { $0.1 == .phase(phase) }?.0 }
        return start.map { time.now - $0 }
    }
}
