import Synchronization

/// The readers of the event stream. A reader is woken when there may be something to write; nothing is queued for a
/// slow reader.
final class StreamSlots: Sendable {
    /// A reader's registration, valid while it is referenced.
    final class Seat: Sendable {
        private let number: Int
        private let slots: StreamSlots

        fileprivate init(_ number: Int, _ slots: StreamSlots) { (self.number, self.slots) = (number, slots) }

        /// Sets what to call when there may be something to write.
        func onWake(_ wake: @escaping @Sendable () -> Void) {
            slots.state.withLock { $0.readers[number]?.wake = wake }
        }

        /// The reader has received everything up to `position`.
        func note(_ position: StreamPosition?) {
            slots.state.withLock { $0.readers[number]?.position = position }
        }

        /// The reader is gone.
        func leave() { slots.state.withLock { _ = $0.readers.removeValue(forKey: number) } }

        deinit { leave() }
    }

    private struct Reader: Sendable {
        let owner: String
        var wake: (@Sendable () -> Void)?
        var position: StreamPosition?
    }

    private struct State: Sendable {
        var next = 0
        var readers: [Int: Reader] = [:]
    }

    private let state = Mutex(State())

    /// Registers one more reader of `owner`, which is a session, or an address on a wall screen.
    func take(for owner: String) throws(PageRefusal) -> Seat {
        let number = try state.withLock { state throws(PageRefusal) in
            guard state.readers.count < PageLimits.streams else { throw .tooManyStreams }
            let own = state.readers.values.count { $0.owner == owner }
            guard own < PageLimits.streamsOfOne else { throw .tooManyOwnStreams }
            state.next += 1
            state.readers[state.next] = Reader(owner: owner)
            return state.next
        }
        return Seat(number, self)
    }

    func wake() {
        for reader in state.withLock({ Array($0.readers.values) }) { reader.wake?() }
    }

    /// Whether all readers have received everything up to `position`.
    func have(_ position: StreamPosition) -> Bool {
        state.withLock { $0.readers.values.allSatisfy { $0.position == position } }
    }
}
