import Bluetooth
import Synchronization

/// A slot of a controller for one link: in use until the link ends, even after its last user has left.
final class LinkSlot: Sendable {
    private struct State {
        /// Our end of the link, once it is up.
        weak var near: PacketSocket?
        var isMade = false
        /// How long the link stays up after our end closes.
        var lingering: Duration
        var isFree = false
    }

    private let state: Mutex<State>
    private let ending = OneShot<Void>()
    private let onEnd: @Sendable () -> Void

    /// A link that stays up for `lingering` after its last user has left; `onEnd` is called once, when it is free.
    init(lingering: Duration, onEnd: @escaping @Sendable () -> Void) {
        state = Mutex(State(lingering: lingering))
        self.onEnd = onEnd
    }

    /// Whether its last user has left.
    var isLeft: Bool { state.withLock { $0.isMade && $0.near?.hasClosed ?? true } }

    func note(_ near: PacketSocket) {
        state.withLock { state in
            state.near = near
            state.isMade = true
        }
    }

    /// Waits, after our end has closed, until the link itself ends.
    func linger(by time: Timekeeper) async {
        let length = state.withLock { $0.lingering }
        guard length > .zero else { return }
        _ = try? await time.within(length) { [ending] in await ending.value() }
    }

    func hangUp() { ending.resolve(()) }

    /// Ends the link of a removed controller: our end closes, and the peer notices after `timeout` without a packet.
    func vanish(after timeout: Duration) {
        let near = state.withLock { state in
            state.lingering = timeout
            return state.near
        }
        near?.close()
        free()
    }

    func free() {
        let wasHeld = state.withLock { state in
            defer { state.isFree = true }
            return !state.isFree
        }
        if wasHeld { onEnd() }
    }
}

/// The peripheral's end of a link that a controller holds.
///
/// The peripheral does not notice that the central's last user has left until the link ends; what it sends in the
/// meantime is discarded.
struct HeldLink<Base: Bearer>: Bearer {
    let base: Base
    let slot: LinkSlot
    let time: Timekeeper

    func receive() async throws(BearerError) -> [UInt8]? {
        if let packet = try await base.receive() { return packet }
        await slot.linger(by: time)
        slot.free()
        return nil
    }

    func send(_ packet: [UInt8]) async throws(BearerError) {
        do throws(BearerError) { try await base.send(packet) } catch {
            if error == .cancelled { throw error }
        }
    }

    func close() {
        base.close()
        slot.free()
    }
}
