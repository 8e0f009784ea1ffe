import Bytes
import Synchronization
import Tray

/// The state that all requests share: access, performed actions, and the event stream.
final class PageHub: Sendable {
    private struct State: Sendable {
        var access: PageAccess
        var requests = RequestLog()
        var feed: PageFeed
        /// Whether the source has ended.
        var isOver = false
        var figures: (text: String?, moment: Duration)?
    }

    let source: any BenchSource
    let slots = StreamSlots()
    /// The roles that browsers have signed in with, whose tokens are used.
    let signIns: AsyncStream<PageRole>
    private let signing: AsyncStream<PageRole>.Continuation
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private let state: Mutex<State>

    init(_ source: any BenchSource, _ access: PageAccess) {
        (self.source, start) = (source, clock.now)
        (signIns, signing) = AsyncStream.makeStream(of: PageRole.self, bufferingPolicy: .bufferingNewest(64))
        let feed = PageFeed(epoch: String(PageToken.random().text.prefix(12)))
        state = Mutex(State(access: access, feed: feed))
    }

    private var moment: Duration { clock.now - start }

    // MARK: The stream

    /// Follows the source until it ends or the task is cancelled.
    func run() async {
        let (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await bench in self.source.states() {
                    self.state.withLock { $0.feed.offer(bench) }
                    changed.yield()
                }
                self.state.withLock { $0.isOver = true }
            }
            group.addTask { for await _ in changes { await self.publish() } }
            group.addTask {
                // A heartbeat, so that both ends notice when the other is gone.
                while (try? await self.clock.sleep(for: PageLimits.heartbeat)) != nil { self.slots.wake() }
            }
            await group.waitForAll()
        }
    }

    private func publish() async {
        guard let due = state.withLock({ $0.feed.due(at: moment) }) else { return }
        if due > moment, (try? await clock.sleep(until: start + due)) == nil { return }
        if state.withLock({ $0.feed.publish(at: moment) }) { slots.wake() }
    }

    /// The events for a reader at `position`.
    func answer(after position: StreamPosition?) -> PageFeed.Answer {
        state.withLock { $0.feed.answer(after: position) }
    }

    /// Waits until the source has ended and all readers have received its last state, but no longer than `limit`.
    func settle(within limit: Duration) async {
        let end = clock.now + limit
        func isSettled() -> Bool {
            let position = state.withLock { $0.isOver && $0.feed.isTold ? $0.feed.position : nil }
            return position.map(slots.have) ?? false
        }
        while clock.now < end, !isSettled() {
            guard (try? await clock.sleep(for: .milliseconds(20))) != nil else { return }
        }
    }

    /// The last published state.
    func snapshot() -> StreamEvent { state.withLock { $0.feed.snapshot() } }

    // MARK: Access

    /// What `body` finds out about access now.
    private func access<Value: Sendable>(
        _ body: (inout PageAccess, Duration) throws(PageRefusal) -> Value
    ) throws(PageRefusal) -> Value {
        let moment = moment
        let result = state.withLock { state -> Result<Value, PageRefusal> in
            do throws(PageRefusal) { return .success(try body(&state.access, moment)) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    func newToken(for role: PageRole) -> PageToken { state.withLock { $0.access.newToken(for: role) } }

    func session(inCookies header: String?) -> String? {
        state.withLock { $0.access.session(inCookies: header) }
    }

    func admit(_ head: RequestHead) throws(PageRefusal) {
        try access { access, _ throws(PageRefusal) in try access.admit(head) }
    }

    func owner(_ head: RequestHead, from place: String) -> String? {
        state.withLock { $0.access.owner(head, from: place, at: moment) }
    }

    @discardableResult func reader(_ head: RequestHead) throws(PageRefusal) -> PageUser {
        try access { access, moment throws(PageRefusal) in try access.reader(head, at: moment) }
    }

    func status(_ head: RequestHead) throws(PageRefusal) -> JSONValue {
        try access { access, moment throws(PageRefusal) in try access.status(head, at: moment) }
    }

    func actor(_ head: RequestHead, needs role: PageRole) throws(PageRefusal) -> PageUser {
        try access { access, moment throws(PageRefusal) in try access.actor(head, needs: role, at: moment) }
    }

    func own(_ head: RequestHead) throws(PageRefusal) {
        try access { access, _ throws(PageRefusal) in try access.own(head) }
    }

    func watcher(_ head: RequestHead) throws(PageRefusal) {
        try access { access, moment throws(PageRefusal) in try access.watcher(head, at: moment) }
    }

    func signIn(
        _ token: String, name: String?, _ head: RequestHead
    ) throws(PageRefusal) -> (session: PageSession, cookie: String) {
        let found = try access { access, moment throws(PageRefusal) in
            try access.signIn(token, name: name, head, at: moment)
        }
        signing.yield(found.session.user.role)
        return found
    }

    /// Ends a session and its streams; returns the cookie that deletes the session's.
    func signOut(_ head: RequestHead) throws(PageRefusal) -> String {
        defer { slots.wake() }
        return try access { access, moment throws(PageRefusal) in try access.signOut(head, at: moment) }
    }

    // MARK: Metrics

    /// The metrics of the source, cached for a moment.
    func metrics() async throws(PageRefusal) -> String {
        let cached = state.withLock { state in
            state.figures.map { moment - $0.moment < PageLimits.figures } == true ? state.figures : nil
        }
        let source = source
        let text: String?
        if let cached {
            text = cached.text
        } else {
            text = try await Deadline.within(PageLimits.answer) { () async throws(PageRefusal) in
                try await source.metrics()
            }
            state.withLock { $0.figures = (text, moment) }
        }
        guard let text else { throw .notFound }
        return text
    }

    // MARK: Actions

    /// Performs `action`, once for each `key`.
    func perform(_ action: BenchAction, for user: PageUser, under key: String?) async throws(PageRefusal) {
        let begun = state.withLock { state -> Result<RequestLog.Answer, PageRefusal> in
            do throws(PageRefusal) { return .success(try state.requests.begin(key, action, for: user)) } catch
            {
                return .failure(error)
            }
        }
        guard try begun.get() == .perform else { return }
        do throws(PageRefusal) {
            let hold = state.withLock { $0.feed.bench(action.bench)?.hold?.since }
            if let since = action.since, hold != since { throw .changedHold }
            let source = source
            try await Deadline.within(PageLimits.answer) { () async throws(PageRefusal) in
                try await source.perform(action, for: user)
            }
            state.withLock { $0.requests.end(key, nil) }
        } catch {
            state.withLock { $0.requests.end(key, error) }
            throw error
        }
    }
}

/// Calls with a time limit.
enum Deadline {
    /// Runs `body` within `limit`; cancels it on timeout, and throws that the bench is silent.
    static func within<Value: Sendable>(
        _ limit: Duration, _ body: @escaping @Sendable () async throws(PageRefusal) -> Value
    ) async throws(PageRefusal) -> Value {
        let result = await withTaskGroup(of: Result<Value, PageRefusal>?.self) { group in
            group.addTask {
                do throws(PageRefusal) { return .success(try await body()) } catch { return .failure(error) }
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        guard let result else {
            throw PageRefusal(
                504, .page.sourceSilent, "the bench did not answer within \(limit.components.seconds) s",
                next: "check the bench; the request can be repeated with the same key")
        }
        return try result.get()
    }
}
