import Bluetooth
import Synchronization

/// What all users of an adapter share: the links that the controller holds or makes, and whether it is plugged in.
final class ControllerLinks: Sendable {
    private struct State {
        var slots: [UInt64: (slot: LinkSlot, peer: ObjectIdentifier)] = [:]
        var listeners: [UInt64: AsyncStream<Never>.Continuation] = [:]
        /// The number of the next slot or listener.
        var next: UInt64 = 0
        /// When the current attempt to make a link began.
        var connectingSince: Duration?
        /// The total time of earlier attempts.
        var connecting = Duration.zero
        var intervals = AdvertisingIntervals()
        var isOut = false
        var name: String

        mutating func number() -> UInt64 {
            defer { next += 1 }
            return next
        }
    }

    /// How long a link stays up after its last user has left (kernel `HCI_DISCONN_TIMEOUT`).
    private static let lingering = Duration.seconds(2)
    /// How long a peer takes to notice that the central has vanished: the supervision timeout of update links.
    private static let supervisionTimeout = Duration.seconds(6)

    let controller: SimulatedController
    private let state: Mutex<State>

    init(_ controller: SimulatedController) {
        self.controller = controller
        state = Mutex(State(name: controller.name))
    }

    var name: String { state.withLock { $0.name } }
    var isOut: Bool { state.withLock { $0.isOut } }
    /// Whether it is making a link, and therefore hears no adverts.
    var isConnecting: Bool { state.withLock { $0.connectingSince != nil } }

    func connectingTime(at now: Duration) -> Duration {
        state.withLock { $0.connecting + ($0.connectingSince.map { now - $0 } ?? .zero) }
    }

    /// How often each device was heard to advertise.
    var intervals: AdvertisingIntervals { state.withLock { $0.intervals } }

    /// Notes the report of a listener that began at `begin`.
    func hear(_ report: Advertisement, at now: Duration, since begin: Duration) {
        state.withLock { $0.intervals.hear(report.address, at: now, since: begin) }
    }

    func forgetInterval(of peer: DeviceAddress) { state.withLock { $0.intervals.forget(peer) } }

    /// How many links the controller holds, including those without a user.
    var links: Int { state.withLock { $0.slots.count } }
    var hasRoom: Bool { links < controller.links ?? .max }

    /// Begins to make a link; returns false while another link is being made.
    func begin(at now: Duration) -> Bool {
        state.withLock { state in
            guard state.connectingSince == nil else { return false }
            state.connectingSince = now
            return true
        }
    }

    /// Ends the attempt, whether the link was made or given up.
    func end(at now: Duration) {
        state.withLock { state in
            state.connecting += state.connectingSince.map { now - $0 } ?? .zero
            state.connectingSince = nil
        }
    }

    /// The slot of a new link to `peer`; nil if all are in use.
    func take(for peer: any SimulatedPeer) -> LinkSlot? {
        let lingering = controller.connecting == .instant ? .zero : Self.lingering
        return state.withLock { state in
            guard state.slots.count < controller.links ?? .max else { return nil }
            let number = state.number()
            let slot = LinkSlot(lingering: lingering) { [weak self] in
                self?.state.withLock { _ = $0.slots.removeValue(forKey: number) }
            }
            state.slots[number] = (slot, ObjectIdentifier(peer))
            return slot
        }
    }

    /// Ends a link to `peer` that has no user any more.
    func endStaleLink(to peer: any SimulatedPeer) {
        let slots = state.withLock { state in
            state.slots.values.filter { $0.peer == ObjectIdentifier(peer) }.map(\.slot)
        }
        for slot in slots where slot.isLeft { slot.hangUp() }
    }

    /// Adds a listener, whose `end` finishes when nothing more will be heard; returns its number for `leave`.
    func listen(until end: AsyncStream<Never>.Continuation) -> UInt64 {
        state.withLock { state in
            let number = state.number()
            state.listeners[number] = end
            return number
        }
    }

    func leave(_ number: UInt64) { state.withLock { _ = $0.listeners.removeValue(forKey: number) } }

    func unplug() {
        let (listeners, slots) = state.withLock { state in
            state.isOut = true
            return (Array(state.listeners.values), state.slots.values.map(\.slot))
        }
        for listener in listeners { listener.finish() }
        for slot in slots { slot.vanish(after: Self.supervisionTimeout) }
    }

    /// Plugs the adapter in again; does nothing if another adapter has replaced it.
    func plugIn() {
        guard !controller.isReplaced else { return }
        state.withLock { state in
            state.isOut = false
            state.name = controller.returningName ?? state.name
        }
    }
}
