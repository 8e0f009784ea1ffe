import SimulatedDevice
import Synchronization

/// What an adapter is doing, whoever uses it: the links that its controller holds, the one that it makes, and whether
/// it is plugged in.
final class ControllerLinks: Sendable {
    private struct State {
        var slots: [UInt64: (slot: LinkSlot, peer: ObjectIdentifier)] = [:]
        var nextSlot: UInt64 = 0
        /// Since when a link is being made.
        var connectingSince: Duration?
        /// How long links were made before that.
        var connecting = Duration.zero
        var isOut = false
        /// What it is called at the moment.
        var name: String
        var listeners: [UInt64: AsyncStream<Never>.Continuation] = [:]
        var nextListener: UInt64 = 0
    }

    /// A link stays so long after its last user (kernel `HCI_DISCONN_TIMEOUT`).
    private static let lingering = Duration.seconds(2)
    /// How long a peer misses a central that has vanished: the supervision timeout of links for updates.
    private static let supervisionTimeout = Duration.seconds(6)

    let controller: SimulatedController
    private let state: Mutex<State>

    init(_ controller: SimulatedController) {
        self.controller = controller
        state = Mutex(State(name: controller.name))
    }

    /// What it is called at the moment.
    var name: String { state.withLock { $0.name } }

    /// Whether it is pulled out.
    var isOut: Bool { state.withLock { $0.isOut } }
    /// Whether it is making a link, and hears nothing else meanwhile.
    var isConnecting: Bool { state.withLock { $0.connectingSince != nil } }

    /// How long links were made by `now`.
    func connectingTime(at now: Duration) -> Duration {
        state.withLock { $0.connecting + ($0.connectingSince.map { now - $0 } ?? .zero) }
    }

    /// How many links its controller holds, those among them that nobody uses any more.
    var links: Int { state.withLock { $0.slots.count } }

    /// Whether it holds another one.
    var hasRoom: Bool { links < controller.links ?? .max }

    /// Begins to make a link; false while another one is made.
    func begin(at now: Duration) -> Bool {
        state.withLock { state in
            guard state.connectingSince == nil else { return false }
            state.connectingSince = now
            return true
        }
    }

    /// The link is made, or given up.
    func end(at now: Duration) {
        state.withLock { state in
            state.connecting += state.connectingSince.map { now - $0 } ?? .zero
            state.connectingSince = nil
        }
    }

    /// The slot of a new link to `peer`; nil when all are taken.
    func take(for peer: any SimulatedPeer) -> LinkSlot? {
        let lingering = controller.connecting == .instant ? .zero : Self.lingering
        return state.withLock { state in
            guard state.slots.count < controller.links ?? .max else { return nil }
            let number = state.nextSlot
            state.nextSlot += 1
            let slot = LinkSlot(lingering: lingering) { [weak self] in
                self?.state.withLock { _ = $0.slots.removeValue(forKey: number) }
            }
            state.slots[number] = (slot, ObjectIdentifier(peer))
            return slot
        }
    }

    /// Ends a link to `peer` that its last user has left.
    func endStaleLink(to peer: any SimulatedPeer) {
        let slots = state.withLock { state in
            state.slots.values.filter { $0.peer == ObjectIdentifier(peer) }.map(\.slot)
        }
        for slot in slots where slot.isLeft { slot.hangUp() }
    }

    /// Adds somebody who listens, to be told by `end` that nothing more will be heard; returns a number to take it back with.
    func listen(until end: AsyncStream<Never>.Continuation) -> UInt64 {
        state.withLock { state in
            defer { state.nextListener += 1 }
            state.listeners[state.nextListener] = end
            return state.nextListener
        }
    }

    /// Takes back a listener.
    func leave(_ number: UInt64) { state.withLock { _ = $0.listeners.removeValue(forKey: number) } }

    /// Pulls it out: all listening and all links end.
    func unplug() {
        let (listeners, slots) = state.withLock { state in
            state.isOut = true
            return (Array(state.listeners.values), state.slots.values.map(\.slot))
        }
        for listener in listeners { listener.finish() }
        for slot in slots { slot.vanish(after: Self.supervisionTimeout) }
    }

    /// Plugs it in, or another one that has its place by now.
    func plugIn() {
        guard !controller.isReplaced else { return }
        state.withLock { state in
            state.isOut = false
            state.name = controller.returningName ?? state.name
        }
    }
}
