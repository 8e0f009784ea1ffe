import BenchPage
import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import Tray

/// Answers requests.
struct PageResponder: HTTPResponder {
    typealias Context = PageContext

    let hub: PageHub
    let isSecure: Bool

    func respond(to request: Request, context: PageContext) async throws -> Response {
        var answer: Response
        do throws(PageRefusal) {
            answer = try await self.answer(to: request, context)
        } catch {
            answer = Self.json(error.json, status: error.status)
            if error.status == 413 { context.closeSoon() }
        }
        for header in AnswerHeaders.all(isSecure: isSecure) {
            if let name = HTTPField.Name(header.name) { answer.headers[name] = header.value }
        }
        return answer
    }

    private func answer(to request: Request, _ context: PageContext) async throws(PageRefusal) -> Response {
        let target = request.head.path ?? ""
        let path = target.prefix { $0 != "?" }
        let head = await head(of: request)
        try await hub.admit(head)
        switch (request.method, path) {
        case (.get, "/events"): return try await events(request, head, context)
        case (.get, "/state"):
            _ = try await hub.reader(head)
            return Self.json(text: await hub.snapshot().data)
        case (.get, "/orders"):
            _ = try await hub.reader(head)
            let source = hub.source
            let orders = try await Deadline.within(PageLimits.answer) { () async throws(PageRefusal) in
                try await source.orders(limit: 200)
            }
            return Self.json(orders.json)
        case (.get, "/history"):
            _ = try await hub.reader(head)
            return Self.json(try await history(request))
        case (.get, "/session"): return Self.json(try await hub.status(head))
        case (.post, "/session"): return try await signIn(request, head)
        case (.post, _) where path.hasPrefix("/actions/"):
            return try await act(String(path.dropFirst("/actions/".count)), request, head)
        case (.get, _):
            guard let file = PageFiles.file(path) else { throw .notFound }
            return Response(
                status: .ok, headers: [.contentType: file.type], body: ResponseBody(byteBuffer: file.content))
        default: throw .notFound
        }
    }

    // MARK: What is read

    private func history(_ request: Request) async throws(PageRefusal) -> PageValue {
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

    private func events(
        _ request: Request, _ head: RequestHead, _ context: PageContext
    ) async throws(PageRefusal) -> Response {
        _ = try await hub.reader(head)
        guard let seat = hub.seats.take() else { throw .tooManyStreams }
        let after = request.headers[Self.lastEvent] ?? request.uri.queryParameters["after"].map(String.init)
        let hub = hub
        let body = ResponseBody { writer in
            var position = after.flatMap { StreamPosition($0) }
            var wakes = seat.wakes.makeAsyncIterator()
            // Our clock comes first: what has a time counts by it.
            var start = Self.beat
            repeat {
                var text: String
                switch await hub.answer(after: position) {
                case .events(let events):
                    position = events.last?.position ?? position
                    text = events.map(\.text).joined()
                case .nothing: text = start.isEmpty ? Self.beat : ""
                }
                (text, start) = (start + text, "")
                let watch = context.closing(after: PageLimits.write)
                defer { watch.cancel() }
                try await writer.write(ByteBuffer(string: text))
            } while await wakes.next() != nil
            withExtendedLifetime(seat) {}
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", Self.buffering: "no"], body: body)
    }

    /// A comment, and an event that a page sees, with our clock.
    private static var beat: String { ": heartbeat\nevent: beat\ndata: \(RecordedTime.now.milliseconds)\n\n" }

    // MARK: What is changed

    private func signIn(_ request: Request, _ head: RequestHead) async throws(PageRefusal) -> Response {
        let body = try await body(request)
        guard let token = body["token"]?.text else { throw .malformed("a sign-in needs a token") }
        let (session, cookie) = try await hub.signIn(token, name: body["name"]?.text, head)
        var response = Self.json(session.json)
        response.headers[.setCookie] = cookie
        return response
    }

    private func act(_ name: String, _ request: Request, _ head: RequestHead) async throws(PageRefusal)
        -> Response
    {
        guard let kind = BenchAction.Kind(rawValue: name) else { throw .notFound }
        let user = try await hub.actor(head, needs: kind.role)
        let body = try await body(request)
        guard let bench = body["bench"]?.text,
            let action = BenchAction(kind, bench: bench, slot: body["slot"]?.text)
        else { throw .malformed("\(name) needs a bench" + (kind.isOfUnit ? " and a slot" : " and no slot")) }
        try await hub.perform(action, for: user, under: request.headers[Self.idempotency])
        return Self.json(.object(["schema": .integer(1), "taken": .bool(true)]), status: 202)
    }

    private func body(_ request: Request) async throws(PageRefusal) -> PageValue {
        if let length = request.headers[.contentLength].flatMap(Int.init), length > PageLimits.bodyBytes {
            throw .bodyTooLarge
        }
        let bytes: ByteBuffer
        do {
            bytes = try await request.body.collect(upTo: PageLimits.bodyBytes)
        } catch is NIOTooManyBytesError {
            throw .bodyTooLarge
        } catch {
            throw .malformed("the body has not come")
        }
        guard let value = PageValue(parsing: bytes.readableBytesView), case .object = value else {
            throw .malformed("the body is no object of JSON")
        }
        return value
    }

    // MARK: Heads

    private static let lastEvent = name("Last-Event-ID")
    private static let idempotency = name("Idempotency-Key")
    private static let csrf = name("X-CSRF-Token")
    private static let fetchSite = name("Sec-Fetch-Site")
    private static let buffering = name("X-Accel-Buffering")

    private static func name(_ text: StaticString) -> HTTPField.Name {
        // A literal of ours, which is a token; what is none would be no header at all.
        HTTPField.Name("\(text)") ?? .from
    }

    private func head(of request: Request) async -> RequestHead {
        var head = RequestHead()
        head.host = request.head.authority ?? request.headers[Self.name("Host")]
        head.origin = request.headers[.origin]
        head.fetchSite = request.headers[Self.fetchSite]
        head.contentType = request.headers[.contentType]
        head.csrf = request.headers[Self.csrf]
        head.session = await hub.session(inCookies: request.headers[.cookie])
        return head
    }

    private static func json(_ value: PageValue, status: Int = 200) -> Response {
        json(text: value.line, status: status)
    }

    private static func json(text: String, status: Int = 200) -> Response {
        Response(
            status: HTTPResponse.Status(code: status),
            headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
    }
}
