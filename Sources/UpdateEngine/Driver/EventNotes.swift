import Synchronization
import UpdateCore

/// What has to be known of the events so far: which phase an update is in, and whether a link was told of, whose end is
/// to be told of too.
final class EventNotes: Sendable {
    private struct State: Sendable {
        var phase = UpdatePhase.connecting
        var hasLink = false
    }

    private let state = Mutex(State())

    func note(_ event: UpdateEvent) {
        state.withLock { state in
            switch event {
            case .phase(let phase): state.phase = phase
            case .connected: state.hasLink = true
            case .disconnected: state.hasLink = false
            default: break
            }
        }
    }

    /// The phase in words.
    var phase: String { state.withLock { $0.phase }.rawValue.replacing("-", with: " ") }

    /// Whether a link stands that was told of.
    var hasLink: Bool { state.withLock { $0.hasLink } }
}
