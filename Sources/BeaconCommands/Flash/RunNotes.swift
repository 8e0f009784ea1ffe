import Synchronization
import UpdateCore

/// What the summary needs from a run's events.
final class RunNotes: Sendable {
    private let lastLink = Mutex<LinkDescription?>(nil)

    func add(_ event: UpdateEvent) {
        switch event {
        case .connected(_, let link), .detail(.linkChanged(let link)): lastLink.withLock { $0 = link }
        default: break
        }
    }

    /// The last link that was reported. That is the bootloader's, over which the firmware went: the look at the
    /// application afterwards reports none. Only where an update goes on over a new link, unconfirmed, and finds the
    /// application, it is the application's.
    var link: LinkDescription? { lastLink.withLock(\.self) }
}
