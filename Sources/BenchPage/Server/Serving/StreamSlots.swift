import Synchronization

/// The readers of the event stream. A reader is woken when there may be something to write; nothing is queued for a
/// slow reader.
final class StreamSlots: Sendable {
    /// A reader's registration, valid while it is referenced.
    final class Seat: Sendable {
        /// There may be something to write; ends when the reader is gone.
        let wakes: AsyncStream<Void>
        private let number: Int
        private let slots: StreamSlots

        fileprivate init(_ number: Int, _ wakes: AsyncStream<Void>, _ slots: StreamSlots) {
            (self.number, self.wakes, self.slots) = (number, wakes, slots)
        }

        /// The reader has received everything up to `position`.
        func note(_ position: StreamPosition?) {
            slots.state.withLock { $0.readers[number]?.position = position }
        }

        /// The reader is gone.
        func leave() { slots.leave(number) }

        deinit { leave() }
    }

    private struct Reader: Sendable {
        let owner: String
        let wakes: AsyncStream<Void>.Continuation
        var position: StreamPosition?
    }

    private struct State: Sendable {
        var next = 0
        var readers: [Int: Reader] = [:]
    }

    private let state = Mutex(State())

    /// Registers one more reader of `owner`, which is a session, or an address on a wall screen.
    func take(for owner: String) throws(PageRefusal) -> Seat {
        let (wakes, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let result = state.withLock { state -> Result<Int, PageRefusal> in
            guard state.readers.count < PageLimits.streams else { return .failure(.tooManyStreams) }
            guard state.readers.values.count(where: { $0.owner == owner }) < PageLimits.streamsOfOne else {
                return .failure(.tooManyOwnStreams)
            }
            state.next += 1
            state.readers[state.next] = Reader(owner: owner, wakes: continuation)
            return .success(state.next)
        }
        return Seat(try result.get(), wakes, self)
    }

    /// Wakes all.
    func wake() {
        for reader in state.withLock({ Array($0.readers.values) }) { reader.wakes.yield() }
    }

    /// Whether all readers have received everything up to `position`.
    func have(_ position: StreamPosition) -> Bool {
        state.withLock { $0.readers.values.allSatisfy { $0.position == position } }
    }

    private func leave(_ number: Int) {
        state.withLock { $0.readers.removeValue(forKey: number) }?.wakes.finish()
    }
}
