import Synchronization
import UpdateCore

/// Which phase an update is in, for whoever has to say during what it ended.
final class Phases: Sendable {
    private let current = Mutex(UpdatePhase.connecting)

    func note(_ event: UpdateEvent) {
        if case .phase(let phase) = event { current.withLock { $0 = phase } }
    }

    /// The phase in words.
    var name: String {
        current.withLock { $0.rawValue }.replacing("-", with: " ")
    }
}
