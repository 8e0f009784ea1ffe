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
