import Synchronization

/// A state and its readers: each gets the one there is, and after every change the latest.
///
/// Nothing is queued: a reader that is slow passes over what came between.
public final class ObservedState: Sendable {
    private struct Contents: Sendable {
        var state: BenchState
        var readers: [Int: AsyncStream<BenchState>.Continuation] = [:]
        var next = 0
        /// Whether nothing will change any more.
        var isOver = false
    }

    private let contents: Mutex<Contents>

    /// `state`, without readers.
    public init(_ state: BenchState) { contents = Mutex(Contents(state: state)) }

    /// As it is now.
    public var state: BenchState { contents.withLock { $0.state } }

    /// The state now, and whenever it has changed, until ``finish()``.
    public func states() -> AsyncStream<BenchState> {
        let (states, continuation) = AsyncStream.makeStream(
            of: BenchState.self, bufferingPolicy: .bufferingNewest(1))
        let number = contents.withLock { contents in
            contents.next += 1
            contents.readers[contents.next] = continuation
            continuation.yield(contents.state)
            return contents.next
        }
        // Set after the lock: a reader that is gone already is told at once.
        continuation.onTermination = { [weak self] _ in
            self?.contents.withLock { _ = $0.readers.removeValue(forKey: number) }
        }
        if contents.withLock({ $0.isOver }) { continuation.finish() }
        return states
    }

    /// Changes it, and tells its readers where that has made it another.
    public func change(_ body: (inout BenchState) -> Void) {
        contents.withLock { contents in
            var state = contents.state
            body(&state)
            guard state != contents.state else { return }
            contents.state = state
            for reader in contents.readers.values { reader.yield(state) }
        }
    }

    /// Nothing will change any more: readers have the last state, and end.
    public func finish() {
        let readers = contents.withLock { contents in
            contents.isOver = true
            return Array(contents.readers.values)
        }
        for reader in readers { reader.finish() }
    }
}
