import Synchronization
import UpdateCore

/// What the summary needs from a run's events.
final class RunNotes: Sendable {
    private struct Notes {
        var link: LinkDescription?
    }

    private let notes = Mutex(Notes())

    func add(_ event: UpdateEvent) {
        switch event {
        case .connected(_, let link): notes.withLock { $0.link = link }
        case .phase, .part, .disconnected, .resumed, .progress, .speed, .steadySpeed, .currentSpeed, .retry,
            .warning,
            .detail:
            break
        }
    }

    /// The last link that was reported. That is the bootloader's, over which the firmware went: the look at the
    /// application afterwards reports none. Only where an update goes on over a new link, unconfirmed, and finds the
    /// application, it is the application's.
    var link: LinkDescription? { notes.withLock { $0.link } }
}
