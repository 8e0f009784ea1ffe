import BenchPage
import Synchronization

/// Who reads the stream of events. Each reader is woken when there may be something to write; nothing is kept for who does not read.
final class StreamSeats: Sendable {
    /// A reader's place, for as long as somebody holds it.
    final class Seat: Sendable {
        /// There may be something to write.
        let wakes: AsyncStream<Void>
        private let number: Int
        private let seats: StreamSeats

        fileprivate init(_ number: Int, _ wakes: AsyncStream<Void>, _ seats: StreamSeats) {
            (self.number, self.wakes, self.seats) = (number, wakes, seats)
        }

        deinit { seats.leave(number) }
    }

    private struct State: Sendable {
        var next = 0
        var readers: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private let state = Mutex(State())

    /// How many read.
    var count: Int { state.withLock { $0.readers.count } }

    /// A place for one more; nil where all are taken.
    func take() -> Seat? {
        let (wakes, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state -> Int? in
            guard state.readers.count < PageLimits.streams else { return nil }
            state.next += 1
            state.readers[state.next] = continuation
            return state.next
        }
        return number.map { Seat($0, wakes, self) }
    }

    /// Wakes all.
    func wake() {
        for reader in state.withLock({ Array($0.readers.values) }) { reader.yield() }
    }

    private func leave(_ number: Int) {
        state.withLock { $0.readers.removeValue(forKey: number) }?.finish()
    }
}
