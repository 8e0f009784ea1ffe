import PacketSockets
import Synchronization
import Timing

/// A link that a controller holds: taken until its end, not until its last user has left.
final class LinkSlot: Sendable {
    private struct State {
        /// Our end of it, once it stands.
        weak var near: PacketSocket?
        var stands = false
        /// How long it stands when our end is closed.
        var lingering: Duration
        var isFree = false
    }

    private let state: Mutex<State>
    private let ending = OneShot<Void>()
    private let onEnd: @Sendable () -> Void

    /// A link that stands for `lingering` when its last user has left; `onEnd` hears once that the slot is free.
    init(lingering: Duration, onEnd: @escaping @Sendable () -> Void) {
        state = Mutex(State(lingering: lingering))
        self.onEnd = onEnd
    }

    /// Whether its last user has left.
    var isLeft: Bool { state.withLock { $0.stands && $0.near?.hasClosed ?? true } }

    /// The link stands, and `near` is our end of it.
    func note(_ near: PacketSocket) {
        state.withLock { state in
            state.near = near
            state.stands = true
        }
    }

    /// Our end is closed: waits for as long as the link stands yet.
    func linger(by time: Timekeeper) async {
        let length = state.withLock { $0.lingering }
        guard length > .zero else { return }
        _ = try? await time.within(length) { [ending] in await ending.value() }
    }

    /// Ends a link that its last user has left.
    func hangUp() { ending.settle(()) }

    /// The controller is gone: our end closes, and the peer notices when it has heard nothing for `timeout`.
    func vanish(after timeout: Duration) {
        let near = state.withLock { state in
            state.lingering = timeout
            return state.near
        }
        near?.close()
        free()
    }

    /// The link has ended.
    func free() {
        let wasHeld = state.withLock { state in
            defer { state.isFree = true }
            return !state.isFree
        }
        if wasHeld { onEnd() }
    }
}
