public import Bluetooth
import Synchronization

/// The attribute channel of a ``UserChannelAdapter``'s link; the link ends when this is closed or released.
public final class UserChannelLink: Bearer {
    /// The result of an attempt that does not block.
    enum Answer<Value: Sendable>: Sendable {
        case done(Value)
        /// Nothing was done: the caller tries again after this signal.
        case wait(OneShot<Void>)
    }

    let id: UserChannelHost.LinkID
    let peer: DeviceAddress
    private let adapter: UserChannelAdapter
    private let isClosed = Atomic(false)

    init(_ id: UserChannelHost.LinkID, to peer: DeviceAddress, on adapter: UserChannelAdapter) {
        (self.id, self.peer, self.adapter) = (id, peer, adapter)
    }

    deinit { close() }

    /// Queues one packet, waiting while four others wait for the controller.
    public func send(_ packet: [UInt8]) async throws(BearerError) {
        guard try await retrying({ adapter.send(packet, over: id) }) else { throw .closed }
    }

    public func receive() async throws(BearerError) -> [UInt8]? {
        try await retrying { adapter.receive(over: id) }
    }

    private func retrying<Value>(_ attempt: () -> Answer<Value>) async throws(BearerError) -> Value {
        while true {
            guard !isClosed.load(ordering: .acquiring) else { throw .closed }
            guard !Task.isCancelled else { throw .cancelled }
            switch attempt() {
            case .done(let value): return value
            case .wait(let signal): _ = await signal.value()
            }
        }
    }

    public func close() {
        if !isClosed.exchange(true, ordering: .acquiringAndReleasing) { adapter.close(id) }
    }
}

extension UserChannelAdapter {
    /// Queues a packet: `done(true)` if it was queued, `done(false)` if the link has ended.
    func send(_ packet: [UInt8], over id: UserChannelHost.LinkID) -> UserChannelLink.Answer<Bool> {
        change { state, now in
            switch state.host.send(packet, over: id, at: now) {
            case .queued: return .done(true)
            case .noLink: return .done(false)
            case .noRoom:
                let signal = OneShot<Void>()
                state.links[id]?.waitingForRoom.append(signal)
                return .wait(signal)
            }
        }
    }

    /// The next packet of the peer; `done(nil)` if the link has ended.
    func receive(over id: UserChannelHost.LinkID) -> UserChannelLink.Answer<[UInt8]?> {
        change { state, _ in
            guard let link = state.links[id] else { return .done(nil) }
            guard link.unread.isEmpty else { return .done(state.links[id]?.unread.removeFirst()) }
            guard !link.isEnded else { return .done(nil) }
            let signal = OneShot<Void>()
            state.links[id]?.waiting.append(signal)
            return .wait(signal)
        }
    }

    func close(_ id: UserChannelHost.LinkID) {
        let waiting = change { state, now in
            state.host.close(id, at: now)
            return state.links.removeValue(forKey: id).map { $0.waiting + $0.waitingForRoom } ?? []
        }
        for waiter in waiting { waiter.resolve(()) }
    }
}
