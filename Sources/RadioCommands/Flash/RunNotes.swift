import Synchronization
import UpdateModel

/// Collects what the summary needs from a run's events.
final class RunNotes: Sendable {
    private let lastLink = Mutex<LinkDescription?>(nil)

    func add(_ event: UpdateEvent) {
        switch event {
        case .connected(_, let link), .detail(.linkChanged(let link)): lastLink.withLock { $0 = link }
        default: break
        }
    }

    /// The last link that was reported. That is the bootloader's, over which the firmware was sent: the
    /// verification of the application reports no link. It is the application's only if an unconfirmed update
    /// resumes over a new link and finds the application.
    var link: LinkDescription? { lastLink.withLock(\.self) }
}
