/// The state that all requests share: access, performed actions, and the event stream.
actor PageHub {
    nonisolated let source: any BenchSource
    nonisolated let slots = StreamSlots()
    /// The roles that browsers have signed in with, whose tokens are used.
    nonisolated let signIns: AsyncStream<PageRole>
    private let signing: AsyncStream<PageRole>.Continuation
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var access: PageAccess
    private var requests = RequestLog()
    private var feed: PageFeed
    /// Whether the source has ended.
    private var isOver = false
    private var figures: (text: String?, moment: Duration)?

    init(_ source: any BenchSource, _ access: PageAccess) {
        (self.source, self.access, start) = (source, access, clock.now)
        (signIns, signing) = AsyncStream.makeStream(of: PageRole.self, bufferingPolicy: .bufferingNewest(64))
        feed = PageFeed(epoch: String(PageToken.random().text.prefix(12)))
    }

    private var moment: Duration { clock.now - start }

    // MARK: The stream

    /// Follows the source until it ends or the task is cancelled.
    func run() async {
        let (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await state in self.source.states() {
                    await self.offer(state)
                    changed.yield()
                }
                await self.end()
            }
            group.addTask { for await _ in changes { await self.publish() } }
            group.addTask {
                // A heartbeat, so that both ends notice when the other is gone.
                while (try? await self.clock.sleep(for: PageLimits.heartbeat)) != nil { self.slots.wake() }
            }
            await group.waitForAll()
        }
    }

    private func end() { isOver = true }

    private func offer(_ state: BenchState) { feed.offer(state) }

    private func publish() async {
        guard let due = feed.due(at: moment) else { return }
        if due > moment, (try? await clock.sleep(until: start + due)) == nil { return }
        if feed.publish(at: moment) { slots.wake() }
    }

    /// The events for a reader at `position`.
    func answer(after position: StreamPosition?) -> PageFeed.Answer { feed.answer(after: position) }

    /// Waits until the source has ended and all readers have received its last state, but no longer than `limit`.
    func settle(within limit: Duration) async {
        let end = clock.now + limit
        while clock.now < end, !(isOver && feed.isTold && slots.have(feed.position)) {
            guard (try? await clock.sleep(for: .milliseconds(20))) != nil else { return }
        }
    }

    /// The last published state.
    func snapshot() -> StreamEvent { feed.snapshot() }

    // MARK: Access

    func newToken(for role: PageRole) -> PageToken { access.newToken(for: role) }

    func session(inCookies header: String?) -> String? { access.session(inCookies: header) }

    func admit(_ head: RequestHead) throws(PageRefusal) { try access.admit(head) }

    func owner(_ head: RequestHead, from address: String) -> String? {
        access.owner(head, from: address, at: moment)
    }

    func reader(_ head: RequestHead) throws(PageRefusal) -> PageUser { try access.reader(head, at: moment) }

    func status(_ head: RequestHead) throws(PageRefusal) -> PageValue { try access.status(head, at: moment) }

    func actor(_ head: RequestHead, needs role: PageRole) throws(PageRefusal) -> PageUser {
        try access.actor(head, needs: role, at: moment)
    }

    func own(_ head: RequestHead) throws(PageRefusal) { try access.own(head) }

    func signIn(
        _ token: String, name: String?, _ head: RequestHead
    ) throws(PageRefusal) -> (session: PageSession, cookie: String) {
        let (session, cookie) = try access.signIn(token, name: name, head, at: moment)
        signing.yield(session.user.role)
        return (session, cookie)
    }

    /// Ends a session and its streams; returns the cookie that deletes the session's.
    func signOut(_ head: RequestHead) throws(PageRefusal) -> String {
        defer { slots.wake() }
        return try access.signOut(head, at: moment)
    }

    // MARK: Metrics

    /// The metrics of the source, cached for a moment.
    func metrics(_ head: RequestHead) async throws(PageRefusal) -> String {
        try access.watcher(head, at: moment)
        if figures.map({ moment - $0.moment < PageLimits.figures }) != true {
            let source = source
            let text = try await Deadline.within(PageLimits.answer) { () async throws(PageRefusal) in
                try await source.metrics()
            }
            figures = (text, moment)
        }
        guard let text = figures?.text else { throw .notFound }
        return text
    }

    // MARK: Actions

    /// Performs `action`, once for each `key`.
    func perform(_ action: BenchAction, for user: PageUser, under key: String?) async throws(PageRefusal) {
        guard try requests.begin(key, action, for: user) == .perform else { return }
        do throws(PageRefusal) {
            if let since = action.since, feed.bench(action.bench)?.hold?.since != since { throw .changedHold }
            let source = source
            try await Deadline.within(PageLimits.answer) { () async throws(PageRefusal) in
                try await source.perform(action, for: user)
            }
            requests.end(key, nil)
        } catch {
            requests.end(key, error)
            throw error
        }
    }
}
