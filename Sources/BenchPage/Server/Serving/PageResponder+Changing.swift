import HTTPTypes
import Hummingbird
import NIOCore
import Tray

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
