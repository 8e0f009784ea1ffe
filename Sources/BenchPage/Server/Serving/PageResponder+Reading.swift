import HTTPTypes
import Hummingbird
import NIOCore
import Tray

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
