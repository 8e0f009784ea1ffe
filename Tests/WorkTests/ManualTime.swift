import Bluetooth
import Synchronization

/// Time that passes on request, or when a task sleeps.
final class ManualTime: Sendable {
    private let present = Mutex(Duration.seconds(1000))

    var now: Duration { present.withLock { $0 } }
    func pass(_ length: Duration) { pass(to: now + length) }
    func pass(to moment: Duration) { present.withLock { $0 = max($0, moment) } }

    var time: Timekeeper {
        Timekeeper(
            reading: { self.now },
            waiting: { moment in
                self.pass(to: moment)
                // A sleeping task yields: there are as many threads as cores.
                await Task.yield()
            },
            setting: { _, _ in Alarm {} })
    }
}
