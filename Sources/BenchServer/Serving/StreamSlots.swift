import BenchPage
import Synchronization

/// Who reads the stream of events. Each reader is woken when there may be something to write; nothing is kept for who does not read.
final class StreamSlots: Sendable {
    /// A reader's place, for as long as somebody holds it.
    final class Seat: Sendable {
        /// There may be something to write; ends when the reader is gone.
        let wakes: AsyncStream<Void>
        private let number: Int
        private let slots: StreamSlots

        fileprivate init(_ number: Int, _ wakes: AsyncStream<Void>, _ slots: StreamSlots) {
            (self.number, self.wakes, self.slots) = (number, wakes, slots)
        }

        /// The reader has got everything up to `position`.
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

    /// A place for one more of `owner`, which is a session, or an address where there are none.
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

    /// Whether all who read have got everything up to `position`.
    func have(_ position: StreamPosition) -> Bool {
        state.withLock { $0.readers.values.allSatisfy { $0.position == position } }
    }

    private func leave(_ number: Int) {
        state.withLock { $0.readers.removeValue(forKey: number) }?.wakes.finish()
    }
}
