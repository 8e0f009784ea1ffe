import Bytes
import Tray
import UpdateModel

struct PageResponder: HTTPResponder {
    let hub: PageHub
    let isSecure: Bool

    /// No CORS headers: no other page may read anything. Over TLS, browsers use only TLS for this name for 30 days.
    var headers: [(name: String, value: String)] {
        [
            (
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
                    + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
            ),
            ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"),
            ("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY"),
            ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ] + (isSecure ? [("Strict-Transport-Security", "max-age=2592000")] : [])
    }

    func step(for request: HTTPRequest, assigningOwner assign: (String) -> Void) -> HTTPStep {
        Self.step { () throws(PageRefusal) in
            let head = RequestHead(
                host: request["host"], origin: request["origin"], fetchSite: request["sec-fetch-site"],
                contentType: request["content-type"], csrf: request["x-csrf-token"],
                authorization: request["authorization"],
                session: hub.access { access, _ in access.session(inCookies: request["cookie"]) })
            let owner = try hub.access { access, moment throws(PageRefusal) in
                try access.requireKnownHost(head)
                return access.owner(head, from: request.client, at: moment)
            }
            if let owner { assign(owner) }
            return try step(for: request, head)
        }
    }

    func refusal(_ problem: HTTPProblem) -> HTTPAnswer {
        switch problem {
        case .malformed(let what): Self.answer(.malformed(what))
        case .largeHead: Self.answer(.headTooLarge)
        case .largeBody: Self.answer(.bodyTooLarge)
        case .slowBody: Self.answer(.slowBody)
        }
    }

    private func step(for request: HTTPRequest, _ head: RequestHead) throws(PageRefusal) -> HTTPStep {
        guard let route = PageRoute(request.path) else { throw .notFound }
        let method = request.method == "HEAD" ? "GET" : request.method
        guard route.methods.contains(method) else { throw .method(allowed: route.allowed) }
        guard method == "POST" || !request.hasBody else { throw .malformed("\(method) must not have a body") }
        switch (route, method) {
        case (.file(let file), _): return .answer(HTTPAnswer(type: file.type, body: .bytes(file.content)))
        case (.session, "POST"):
            // Checked first: a stranger's body is not waited for.
            try hub.access { access, _ throws(PageRefusal) in try access.requireOwnPage(head) }
            return .body { body in
                Self.step { () throws(PageRefusal) in try signIn(Self.members(of: body), head) }
            }
        case (.session, "DELETE"):
            let cookie = try hub.signOut(head)
            return .answer(Self.json(.object(["schema": .integer(1)]), cookie: cookie))
        case (.session, _):
            let status = try hub.access { access, moment throws(PageRefusal) in
                try access.status(head, at: moment)
            }
            return .answer(Self.json(status))
        case (.action(let kind), _):
            return try change(by: request, head, needs: kind.role) { body throws(PageRefusal) in
                .bench(try Self.action(kind, body))
            }
        case (.order(let kind), _):
            return try change(by: request, head, needs: .approver) { body throws(PageRefusal) in
                .order(try OrderAction(kind, body))
            }
        case (.metrics, _):
            try hub.access { access, moment throws(PageRefusal) in
                try access.authorizeMetrics(head, at: moment)
            }
            return Self.later { () async throws(PageRefusal) in
                HTTPAnswer(type: "text/plain; version=0.0.4; charset=utf-8", text: try await hub.metrics())
            }
        case (.orders, _):
            try hub.authorizeReading(head)
            return Self.later { () async throws(PageRefusal) in
                let orders = try await hub.ask { source async throws(PageRefusal) in
                    try await source.orders(limit: 200)
                }
                return Self.json(orders.json)
            }
        case (.history, _):
            try hub.authorizeReading(head)
            let query = PageHistoryQuery(
                limit: request.parameter("limit").flatMap { Int($0) } ?? 100,
                text: request.parameter("text") ?? "",
                outcome: request.parameter("outcome").flatMap { UnitOutcome(rawValue: $0) })
            return Self.later { () async throws(PageRefusal) in
                let rows = try await hub.ask { source async throws(PageRefusal) in
                    try await source.history(query)
                }
                return Self.json(rows.json)
            }
        case (.events, _):
            try hub.authorizeReading(head)
            let type = "text/event-stream"
            guard request.method != "HEAD" else { return .answer(HTTPAnswer(type: type, text: "")) }
            let after = request["last-event-id"] ?? request.parameter("after")
            let stream = try PageStream(
                hub, head, of: head.session ?? request.client, after: after.flatMap { StreamPosition($0) })
            var answer = HTTPAnswer(type: type, body: .stream(stream))
            answer.headers.append(("X-Accel-Buffering", "no"))
            return .answer(answer)
        case (.state, _):
            try hub.authorizeReading(head)
            return .answer(Self.json(text: hub.snapshot().data))
        }
    }

    private func signIn(_ body: JSONValue, _ head: RequestHead) throws(PageRefusal) -> HTTPStep {
        guard let token = body["token"]?.text else { throw .malformed("a sign-in needs a token") }
        let (session, cookie) = try hub.signIn(token, name: body["name"]?.text, head)
        var answer = Self.json(session.json, cookie: cookie)
        answer.owner = session.owner
        return .answer(answer)
    }

    private static func action(
        _ kind: BenchAction.Kind, _ body: JSONValue
    ) throws(PageRefusal) -> BenchAction {
        let since = body["since"]?.integer.map { RecordedTime(milliseconds: Int64($0)) }
        guard (kind == .release) == (since != nil) else {
            throw .malformed("`since` names the hold for a release; no other request has it")
        }
        guard let bench = body["bench"]?.text,
            let action = BenchAction(
                kind, bench: bench, slot: body["slot"]?.text, since: since, text: body["text"]?.text)
        else {
            throw .malformed(
                "\(kind.rawValue) needs a bench" + (kind.isOfUnit ? " and a slot" : " and no slot")
                    + (kind == .scan ? ", and a `text` of at most 1024 bytes without control characters" : "")
            )
        }
        return action
    }

    /// Performs what `read` finds in the body, then answers. The role is checked before the body is waited for.
    private func change(
        by request: HTTPRequest, _ head: RequestHead, needs role: PageRole,
        _ read: @escaping @Sendable (JSONValue) throws(PageRefusal) -> PageRequest
    ) throws(PageRefusal) -> HTTPStep {
        let user = try hub.access { access, moment throws(PageRefusal) in
            try access.authorizeAction(head, needs: role, at: moment)
        }
        let key = request["idempotency-key"]
        return .body { body in
            Self.step { () throws(PageRefusal) in
                let wanted = try read(Self.members(of: body))
                return Self.later { () async throws(PageRefusal) in
                    try await hub.perform(wanted, for: user, under: key)
                    return Self.json(.object(["schema": .integer(1), "taken": .bool(true)]), status: 202)
                }
            }
        }
    }

    private static func members(of body: [UInt8]) throws(PageRefusal) -> JSONValue {
        guard let value = JSONValue(request: body), case .object = value else {
            throw .malformed("the body is not a JSON object")
        }
        return value
    }

    // MARK: Answers

    private static func step(_ body: () throws(PageRefusal) -> HTTPStep) -> HTTPStep {
        do throws(PageRefusal) { return try body() } catch { return .answer(answer(error)) }
    }

    private static func later(_ body: @escaping @Sendable () async throws(PageRefusal) -> HTTPAnswer)
        -> HTTPStep
    {
        .later { do throws(PageRefusal) { return try await body() } catch { return answer(error) } }
    }

    private static func answer(_ refusal: PageRefusal) -> HTTPAnswer {
        var answer = json(refusal.json, status: refusal.status)
        if let allowed = refusal.allowed { answer.headers.append(("Allow", allowed)) }
        return answer
    }

    private static func json(_ value: JSONValue, status: Int = 200, cookie: String? = nil) -> HTTPAnswer {
        var answer = json(text: value.line, status: status)
        if let cookie { answer.headers.append(("Set-Cookie", cookie)) }
        return answer
    }

    private static func json(text: String, status: Int = 200) -> HTTPAnswer {
        HTTPAnswer(status: status, type: "application/json; charset=utf-8", text: text + "\n")
    }
}

extension JSONValue {
    /// The body of a request; nil if it is not JSON, has a member twice, or has more than 8 levels. Valid requests have
    /// at most four levels.
    package init?(request body: [UInt8]) {
        guard let value = try? JSONValue(json: body, deepest: 8, refusingDuplicates: true) else { return nil }
        self = value
    }
}
