import Synchronization

/// A state and its readers: each reader gets the current state, and the latest after every change.
///
/// Nothing is queued: a slow reader skips intermediate states.
package final class ObservedState: Sendable {
    private struct Contents: Sendable {
        var state: BenchState
        var readers: [Int: AsyncStream<BenchState>.Continuation] = [:]
        var next = 0
        var isOver = false
    }

    private let contents: Mutex<Contents>

    package init(_ state: BenchState) { contents = Mutex(Contents(state: state)) }

    package var state: BenchState { contents.withLock { $0.state } }

    /// The current state, then each change, until ``finish()``.
    package func states() -> AsyncStream<BenchState> {
        let (states, continuation) = AsyncStream.makeStream(
            of: BenchState.self, bufferingPolicy: .bufferingNewest(1))
        let number = contents.withLock { contents in
            contents.next += 1
            contents.readers[contents.next] = continuation
            continuation.yield(contents.state)
            return contents.next
        }
        // Set outside the lock: it is called at once if the reader has already ended.
        continuation.onTermination = { [weak self] _ in
            self?.contents.withLock { _ = $0.readers.removeValue(forKey: number) }
        }
        if contents.withLock({ $0.isOver }) { continuation.finish() }
        return states
    }

    /// Changes the state, and notifies the readers if it differs.
    package func change(_ body: (inout BenchState) -> Void) {
        contents.withLock { contents in
            var state = contents.state
            body(&state)
            guard state != contents.state else { return }
            contents.state = state
            for reader in contents.readers.values { reader.yield(state) }
        }
    }

    /// No more changes: readers get the last state, and end.
    package func finish() {
        let readers = contents.withLock { contents in
            contents.isOver = true
            return Array(contents.readers.values)
        }
        for reader in readers { reader.finish() }
    }
}
