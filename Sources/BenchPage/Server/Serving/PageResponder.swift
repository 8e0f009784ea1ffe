import HTTPTypes
import Hummingbird
import NIOCore

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
