import Synchronization
import Tray

/// The events for a reader, until it is gone or its session has ended.
final class PageStream: HTTPStream {
    private struct State: Sendable {
        var position: StreamPosition?
        /// Whether nothing was sent yet.
        var isNew = true
    }

    private let hub: PageHub
    private let head: RequestHead
    /// The stream's number among the readers, until `close`.
    private let number: Int
    private let state: Mutex<State>

    init(
        _ hub: PageHub, _ head: RequestHead, of owner: String, after position: StreamPosition?
    ) throws(PageRefusal) {
        (self.hub, self.head, number) = (hub, head, try hub.readers.add(for: owner))
        state = Mutex(State(position: position))
    }

    deinit { close() }

    func next() -> String? {
        // Access is checked for each part, and an open page keeps its session alive.
        guard (try? hub.authorizeReading(head)) != nil else { return nil }
        return state.withLock { state in
            // The heartbeat comes first: the page shows times relative to the server's.
            let start = state.isNew ? Self.heartbeat : ""
            state.isNew = false
            let events = hub.answer(after: state.position)
            guard let last = events.last else { return Self.heartbeat }
            state.position = last.position
            return start + events.map(\.text).joined()
        }
    }

    func didSend() { hub.readers.set(\.position, of: number, state.withLock(\.position)) }

    func onWake(_ wake: @escaping @Sendable () -> Void) { hub.readers.set(\.wake, of: number, wake) }

    func close() { hub.readers.remove(number) }

    /// A comment, and an event with the server's time for the page, in milliseconds since 1970.
    private static var heartbeat: String {
        ": heartbeat\nevent: beat\ndata: \(RecordedTime.now.milliseconds)\n\n"
    }
}

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
