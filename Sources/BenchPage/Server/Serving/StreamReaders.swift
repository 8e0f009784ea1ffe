import Synchronization

/// The readers of the event stream. They are woken when there may be something to write; nothing is queued for them.
final class StreamReaders: Sendable {
    struct Reader: Sendable {
        let owner: String
        /// What to call when there may be something to write.
        var wake: (@Sendable () -> Void)?
        /// The position of the last event that was sent to it; nil before the first.
        var position: StreamPosition?
    }

    private struct State: Sendable {
        var next = 0
        var readers: [Int: Reader] = [:]
    }

    private let state = Mutex(State())

    /// Registers one more reader of `owner`, which is a session, or an address on a wall screen; returns its number.
    func add(for owner: String) throws(PageRefusal) -> Int {
        try state.withLock { state throws(PageRefusal) in
            guard state.readers.count < PageLimits.streams else { throw .tooManyStreams }
            let own = state.readers.values.count { $0.owner == owner }
            guard own < PageLimits.streamsOfOne else { throw .tooManyOwnStreams }
            state.next += 1
            state.readers[state.next] = Reader(owner: owner)
            return state.next
        }
    }

    func set<Value: Sendable>(_ path: WritableKeyPath<Reader, Value>, of number: Int, _ value: Value) {
        state.withLock { $0.readers[number]?[keyPath: path] = value }
    }

    func remove(_ number: Int) { state.withLock { _ = $0.readers.removeValue(forKey: number) } }

    func wake() { for reader in state.withLock({ Array($0.readers.values) }) { reader.wake?() } }

    /// Whether all readers have received everything up to `position`.
    func haveAll(upTo position: StreamPosition) -> Bool {
        state.withLock { $0.readers.values.allSatisfy { $0.position == position } }
    }
}
