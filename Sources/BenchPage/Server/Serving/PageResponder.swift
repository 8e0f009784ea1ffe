import HTTPTypes
import Hummingbird
import NIOCore
import Tray

/// Answers requests.
struct PageResponder: HTTPResponder {
    typealias Context = PageContext

    let hub: PageHub
    let connections: Connections
    let isSecure: Bool

    func respond(to request: Request, context: PageContext) async throws -> Response {
        var answer: Response
        do throws(PageRefusal) {
            answer = try await self.answer(to: request, context)
        } catch {
            answer = Self.json(error.json, status: error.status)
            if let allowed = error.allowed { answer.headers[.allow] = allowed }
            if Self.hasBody(request) {
                // The body of a refused request need not be read.
                answer.headers[.connection] = "close"
                context.closeSoon()
            }
        }
        for header in AnswerHeaders.all + (isSecure ? [AnswerHeaders.secure] : []) {
            if let name = HTTPField.Name(header.name) { answer.headers[name] = header.value }
        }
        return request.method == .head ? answer.createHeadResponse() : answer
    }

    private func answer(to request: Request, _ context: PageContext) async throws(PageRefusal) -> Response {
        let path = String((request.head.path ?? "").prefix { $0 != "?" })
        // A proxy may have used the other one (RFC 9112, 3.2).
        guard request.headers[Self.name("Host")] == nil || request.head.authority == nil else {
            throw .malformed("the request has more than one Host")
        }
        let head = await head(of: request)
        try await hub.admit(head)
        if let owner = await hub.owner(head, from: context.address) {
            connections.slot(context.channel, for: owner)
        }
        guard let place = PagePlace(path) else { throw .notFound }
        let method: HTTPRequest.Method = request.method == .head ? .get : request.method
        guard place.methods.contains(method) else { throw .method(allowed: place.allowed) }
        // The body would never be read, and the connection would wait for it.
        guard method == .post || !Self.hasBody(request) else {
            throw .malformed("\(method) must not have a body")
        }
        switch (place, method) {
        case (.file(let file), _):
            return Response(
                status: .ok, headers: [.contentType: file.type], body: ResponseBody(byteBuffer: file.content))
        case (.session, .post): return try await signIn(request, head, context)
        case (.session, .delete): return try await signOut(head)
        case (.session, _): return Self.json(try await hub.status(head))
        case (.action(let kind), _): return try await act(kind, request, head)
        case (.metrics, _): return try await metrics(head)
        case (.events, _), (.state, _), (.orders, _), (.history, _): break
        }
        _ = try await hub.reader(head)
        switch place {
        case .orders: return Self.json(try await orders())
        case .history: return Self.json(try await history(request))
        case .events where request.method != .head: return try events(request, head, context)
        case .events: return Response(status: .ok, headers: [.contentType: Self.stream])
        default: return Self.json(text: await hub.snapshot().data)
        }
    }

    static let stream = "text/event-stream"

    private static func hasBody(_ request: Request) -> Bool {
        request.headers[.transferEncoding] != nil
            || request.headers[.contentLength].map { $0 != "0" } ?? false
    }

    private func head(of request: Request) async -> RequestHead {
        var head = RequestHead()
        head.host = request.head.authority ?? request.headers[Self.name("Host")]
        head.origin = request.headers[.origin]
        head.fetchSite = request.headers[Self.name("Sec-Fetch-Site")]
        head.contentType = request.headers[.contentType]
        head.csrf = request.headers[Self.name("X-CSRF-Token")]
        head.authorization = request.headers[.authorization]
        head.session = await hub.session(inCookies: request.headers[.cookie])
        return head
    }

    static func name(_ text: StaticString) -> HTTPField.Name {
        // Our literals are valid tokens; an invalid name would be no header at all.
        HTTPField.Name("\(text)") ?? .from
    }

    static func json(_ value: PageValue, status: Int = 200) -> Response {
        json(text: value.line, status: status)
    }

    static func json(text: String, status: Int = 200) -> Response {
        Response(
            status: HTTPResponse.Status(code: status),
            headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
    }
}

extension PageResponder {
    func signIn(
        _ request: Request, _ head: RequestHead, _ context: PageContext
    ) async throws(PageRefusal) -> Response {
        // Checked first: a stranger's body is not waited for.
        try await hub.own(head)
        let body = try await body(request)
        guard let token = body["token"]?.text else { throw .malformed("a sign-in needs a token") }
        let (session, cookie) = try await hub.signIn(token, name: body["name"]?.text, head)
        connections.slot(context.channel, for: session.owner)
        var response = Self.json(session.json)
        response.headers[.setCookie] = cookie
        return response
    }

    func signOut(_ head: RequestHead) async throws(PageRefusal) -> Response {
        let cookie = try await hub.signOut(head)
        var response = Self.json(.object(["schema": .integer(1)]))
        response.headers[.setCookie] = cookie
        return response
    }

    func act(
        _ kind: BenchAction.Kind, _ request: Request, _ head: RequestHead
    ) async throws(PageRefusal) -> Response {
        let user = try await hub.actor(head, needs: kind.role)
        let body = try await body(request)
        let since = body["since"]?.integer.map { RecordedTime(milliseconds: Int64($0)) }
        guard (kind == .release) == (since != nil) else {
            throw .malformed(
                "`since` names the hold for a release; no other request has it")
        }
        guard let bench = body["bench"]?.text,
            let action = BenchAction(kind, bench: bench, slot: body["slot"]?.text, since: since)
        else {
            throw .malformed(
                "\(kind.rawValue) needs a bench" + (kind.isOfUnit ? " and a slot" : " and no slot"))
        }
        try await hub.perform(action, for: user, under: request.headers[Self.name("Idempotency-Key")])
        return Self.json(.object(["schema": .integer(1), "taken": .bool(true)]), status: 202)
    }

    private func body(_ request: Request) async throws(PageRefusal) -> PageValue {
        if let length = request.headers[.contentLength].flatMap(Int.init), length > PageLimits.bodyBytes {
            throw .bodyTooLarge
        }
        let body = request.body
        let bytes = try await Deadline.within(PageLimits.body, or: .slowBody) {
            () async throws(PageRefusal) in
            do {
                return try await body.collect(upTo: PageLimits.bodyBytes)
            } catch is NIOTooManyBytesError {
                throw .bodyTooLarge
            } catch {
                throw .malformed("the body was not received")
            }
        }
        guard let value = PageValue(parsing: bytes.readableBytesView), case .object = value else {
            throw .malformed("the body is not a JSON object")
        }
        return value
    }
}

extension PageResponder {
    func orders() async throws(PageRefusal) -> PageValue {
        let source = hub.source
        return try await Deadline.within(PageLimits.answer) { () async throws(PageRefusal) in
            try await source.orders(limit: 200)
        }.json
    }

    func history(_ request: Request) async throws(PageRefusal) -> PageValue {
        let parameters = request.uri.queryParameters
        let query = PageHistoryQuery(
            limit: parameters["limit"].flatMap { Int($0) } ?? 100,
            text: parameters["text"].map(String.init) ?? "",
            outcome: parameters["outcome"].flatMap { Outcome(rawValue: String($0)) })
        let source = hub.source
        return try await Deadline.within(PageLimits.answer) { () async throws(PageRefusal) in
            try await source.history(query)
        }.json
    }

    func metrics(_ head: RequestHead) async throws(PageRefusal) -> Response {
        let text = try await hub.metrics(head)
        return Response(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// An event stream, until its reader is gone or its session has ended.
    func events(_ request: Request, _ head: RequestHead, _ context: PageContext) throws(PageRefusal)
        -> Response
    {
        let slot = try hub.slots.take(for: head.session ?? context.address)
        let after =
            request.headers[Self.name("Last-Event-ID")]
            ?? request.uri.queryParameters["after"].map(String.init)
        let hub = hub
        let body = ResponseBody { writer in
            var open = writer
            try await request.body.consumeWithInboundCloseHandler { _ in
                var position = after.flatMap { StreamPosition($0) }
                var wakes = slot.wakes.makeAsyncIterator()
                // Our clock comes first: the page shows times relative to it.
                var start = Self.beat
                repeat {
                    // An open page keeps its session alive.
                    guard (try? await hub.reader(head)) != nil else { break }
                    var text: String
                    switch await hub.answer(after: position) {
                    case .events(let events):
                        position = events.last?.position ?? position
                        text = events.map(\.text).joined()
                    case .nothing: text = start.isEmpty ? Self.beat : ""
                    }
                    (text, start) = (start + text, "")
                    try await open.write(ByteBuffer(string: text))
                    slot.note(position)
                } while await wakes.next() != nil
            } onInboundClosed: {
                slot.leave()
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: [.contentType: Self.stream, Self.name("X-Accel-Buffering"): "no"],
            body: body)
    }

    /// A comment, and an event with our clock for the page.
    private static var beat: String { ": heartbeat\nevent: beat\ndata: \(RecordedTime.now.milliseconds)\n\n" }
}

/// The connection of a request.
struct PageContext: InitializableFromSource, Sendable {
    let channel: any Channel

    init(source: ApplicationRequestContextSource) { channel = source.channel }

    /// The source address; a Unix socket counts as one place.
    var address: String { Connections.address(of: channel) }

    /// Closes the connection after the answer was sent, whatever still arrives.
    func closeSoon() {
        let channel = channel
        channel.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
    }
}

/// Calls with a time limit.
enum Deadline {
    /// Runs `body` within `limit`; cancels it on timeout, and throws `refusal`, or that the bench is silent.
    static func within<Value: Sendable>(
        _ limit: Duration, or refusal: PageRefusal? = nil,
        _ body: @escaping @Sendable () async throws(PageRefusal) -> Value
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
            throw refusal
                ?? PageRefusal(
                    504, "source-silent", "the bench did not answer within \(limit.components.seconds) s",
                    next: "check the bench; the request can be repeated with the same key")
        }
        return try result.get()
    }
}
