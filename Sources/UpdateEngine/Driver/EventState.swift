import Synchronization
import UpdateModel

/// State derived from the events so far: the phase of the update, and whether a link was reported, whose end has to
/// be reported too.
final class EventState: Sendable {
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

    /// The phase in words, for messages.
    var phase: String { state.withLock { $0.phase }.rawValue.replacing("-", with: " ") }

    /// Whether a reported link is up.
    var hasLink: Bool { state.withLock { $0.hasLink } }
}
