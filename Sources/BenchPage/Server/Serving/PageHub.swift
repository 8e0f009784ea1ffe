import Bluetooth
import Synchronization
import Tray

/// The state that all requests share: access, performed actions, and the event stream.
final class PageHub: Sendable {
    private struct State: Sendable {
        var access: PageAccess
        var requests = RequestOutcomes()
        var feed: PageFeed
        var isOver = false
        /// The cached metrics and when they were read; a nil text means that the source has none.
        var metrics: (text: String?, moment: Duration)?
    }

    private let source: any BenchSource
    let readers = StreamReaders()
    /// The roles with which browsers have signed in; the tokens of these roles are used up.
    let signIns: AsyncStream<PageRole>
    private let signing: AsyncStream<PageRole>.Continuation
    private let time = Timekeeper(ContinuousClock())
    private let state: Mutex<State>

    init(_ source: any BenchSource, _ access: PageAccess) {
        self.source = source
        (signIns, signing) = AsyncStream.makeStream(of: PageRole.self, bufferingPolicy: .bufferingNewest(64))
        let feed = PageFeed(epoch: String(PageToken.random().text.prefix(12)))
        state = Mutex(State(access: access, feed: feed))
    }

    // MARK: The stream

    /// Follows the source until it ends or the task is cancelled.
    func run() async {
        let (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await benches in self.source.states() {
                    self.state.withLock { $0.feed.offer(benches) }
                    changed.yield()
                }
                self.state.withLock { $0.isOver = true }
            }
            group.addTask { for await _ in changes { await self.publish() } }
            group.addTask {
                // Sends a heartbeat, so that each end notices when the other is gone.
                while (try? await self.time.sleep(for: PageLimits.heartbeat)) != nil { self.readers.wake() }
            }
            await group.waitForAll()
        }
    }

    private func publish() async {
        guard let due = state.withLock({ $0.feed.due(at: time.now) }) else { return }
        if due > time.now, (try? await time.sleep(until: due)) == nil { return }
        if state.withLock({ $0.feed.publish(at: time.now) }) { readers.wake() }
    }

    func answer(after position: StreamPosition?) -> [StreamEvent] {
        state.withLock { $0.feed.answer(after: position) }
    }

    /// Waits until the source has ended and all readers have received its last state, but no longer than `limit`.
    func flush(within limit: Duration) async {
        let end = time.now + limit
        func isFlushed() -> Bool {
            let position = state.withLock { $0.isOver && $0.feed.isPublished ? $0.feed.position : nil }
            return position.map(readers.haveAll) ?? false
        }
        while time.now < end, !isFlushed() {
            guard (try? await time.sleep(for: .milliseconds(20))) != nil else { return }
        }
    }

    func snapshot() -> StreamEvent { state.withLock { $0.feed.snapshot() } }

    // MARK: Access

    func access<Value: Sendable, Failure: Error>(
        _ body: (inout PageAccess, Duration) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let moment = time.now
        return try state.withLock { state throws(Failure) in try body(&state.access, moment) }
    }

    @discardableResult func authorizeReading(_ head: RequestHead) throws(PageRefusal) -> PageUser {
        try access { access, moment throws(PageRefusal) in try access.authorizeReading(head, at: moment) }
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

    /// Ends a session and its streams; returns the header value that deletes the session's cookie.
    func signOut(_ head: RequestHead) throws(PageRefusal) -> String {
        defer { readers.wake() }
        return try access { access, moment throws(PageRefusal) in try access.signOut(head, at: moment) }
    }

    // MARK: Metrics

    /// The metrics of the source, which are cached for `PageLimits.metricsCache`.
    func metrics() async throws(PageRefusal) -> String {
        var cached = state.withLock { $0.metrics }
        if cached.map({ time.now - $0.moment < PageLimits.metricsCache }) != true {
            let text = try await ask { source async throws(PageRefusal) in try await source.metrics() }
            cached = (text, time.now)
            state.withLock { [cached] in $0.metrics = cached }
        }
        guard let text = cached?.text else { throw .notFound }
        return text
    }

    // MARK: Actions

    /// Performs `request`, but only once for each `key`.
    func perform(_ request: PageRequest, for user: PageUser, under key: String?) async throws(PageRefusal) {
        let isNew = try state.withLock { state throws(PageRefusal) in
            try state.requests.begin(key, request, for: user)
        }
        guard isNew else { return }
        do throws(PageRefusal) {
            if case .bench(let action) = request, let since = action.since {
                let hold = state.withLock { $0.feed.bench(action.bench)?.hold?.since }
                guard hold == since else { throw .changedHold }
            }
            try await ask { source async throws(PageRefusal) in
                switch request {
                case .bench(let action): try await source.perform(action, for: user)
                case .order(let action): try await source.perform(action, for: user)
                }
            }
            state.withLock { $0.requests.end(key, nil) }
        } catch {
            state.withLock { $0.requests.end(key, error) }
            throw error
        }
    }

    /// The source's answer to `question`. After the time limit, cancels the question and throws `page.sourceSilent`.
    func ask<Value: Sendable>(
        _ question: @escaping @Sendable (any BenchSource) async throws(PageRefusal) -> Value
    ) async throws(PageRefusal) -> Value {
        let limit = PageLimits.answer
        do {
            let answer = try await time.within(limit) { try await question(self.source) }
            if let answer { return answer }
        } catch let refusal as PageRefusal { throw refusal } catch {}
        throw PageRefusal(
            504, .page.sourceSilent, "the bench did not answer within \(limit.components.seconds) s",
            next: "check the bench; the request can be repeated with the same key")
    }
}
