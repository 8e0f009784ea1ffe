import CMicrohttpd
import Glibc

extension HTTPLoop {
    /// Called for the head of a request, then for each part of its body (`bytes`), then at its end.
    fileprivate func handle(
        _ connection: HTTPConnection, _ method: String, _ version: String, _ bytes: UnsafeRawBufferPointer?
    ) -> MHD_Result {
        guard !connection.isDropped else { return .NO }
        switch connection.stage {
        case .head: return begin(connection, method, version)
        case .body(var body, let then):
            guard let bytes else {
                connection.deadline = nil
                return perform(then(body), connection)
            }
            guard body.count + bytes.count <= limits.bodyBytes else {
                refuse(connection, responder.refusal(.largeBody))
                return .NO
            }
            connection.stage = .head
            body.append(contentsOf: bytes)
            connection.stage = .body(body, then: then)
            return .YES
        case .decided(let step): return perform(step, connection)
        case .waiting, .sending: return .YES
        case .refused: return .NO
        }
    }

    private func begin(_ connection: HTTPConnection, _ method: String, _ version: String) -> MHD_Result {
        connection.request += 1
        connection.deadline = nil
        let listener = connection.listener
        listener.plan.begin(connection.planNumber, at: now)
        let fields = HTTPLoop.fields(of: connection.handle, atMost: limits.fields + 1)
        let request = HTTPRequest(
            method: method, target: connection.target, version: version, client: connection.client,
            fields: fields.all)
        // The library ends a field at a zero, joins folded lines and skips repeated spaces. Other servers may read such
        // a head differently, so it is refused if the library has left out any byte.
        let line = method.utf8.count + connection.target.utf8.count + version.utf8.count + 4
        let size = http_head_size(connection.handle)
        let step: HTTPStep
        if size > limits.headBytes || fields.all.count > limits.fields {
            step = .answer(closing(responder.refusal(.largeHead)))
        } else if let fault = request.fault {
            step = .answer(closing(responder.refusal(.malformed(fault))))
        } else if size > line + fields.size + 2 {
            let fault = "the head has zeros, folded lines or repeated spaces"
            step = .answer(closing(responder.refusal(.malformed(fault))))
        } else {
            step = responder.step(for: request) { self.assign(connection, to: $0) }
        }
        guard !connection.isDropped else { return .NO }
        guard request.hasBody else {
            connection.stage = .decided(step)
            return .YES
        }
        switch step {
        case .body(let then):
            if request.values(of: "content-length").contains(where: { (Int($0) ?? .max) > limits.bodyBytes })
            {
                return send(responder.refusal(.largeBody), connection)
            }
            connection.stage = .body([], then: then)
            connection.deadline = now + limits.body
            return .YES
        // The library drops the body, and closes the connection after the answer.
        case .answer(let answer): return send(answer, connection)
        case .later: return send(responder.refusal(.malformed("\(method) must not have a body")), connection)
        }
    }

    private func closing(_ answer: HTTPAnswer) -> HTTPAnswer {
        var answer = answer
        answer.headers.append(("Connection", "close"))
        return answer
    }

    private func assign(_ connection: HTTPConnection, to owner: String) {
        let listener = connection.listener
        guard let number = listener.plan.assign(connection.planNumber, to: owner) else { return }
        listener.connections[number]?.drop()
    }

    private func perform(_ step: HTTPStep, _ connection: HTTPConnection) -> MHD_Result {
        switch step {
        case .answer(let answer): return send(answer, connection)
        case .body(let then): return perform(then([]), connection)
        case .later(let answer):
            let (mailbox, number, request) = (mailbox, connection.number, connection.request)
            connection.suspend()
            connection.stage = .waiting(
                Task { mailbox.post(.answer(connection: number, request: request, await answer())) })
            return .YES
        }
    }

    private func send(_ answer: HTTPAnswer, _ connection: HTTPConnection) -> MHD_Result {
        if let owner = answer.owner { assign(connection, to: owner) }
        let response: OpaquePointer?
        var streaming: HTTPStreaming?
        switch answer.body {
        case .bytes(var bytes):
            response = bytes.withUnsafeMutableBytes {
                MHD_create_response_from_buffer($0.count, $0.baseAddress, .RESPMEM_MUST_COPY)
            }
        case .stream(let stream):
            let new = HTTPStreaming(stream, connection, self)
            streaming = new
            let context = Unmanaged.passRetained(new)
            // The length is unknown: `.max` is the library's MHD_SIZE_UNKNOWN, a macro that Swift does not import.
            response = MHD_create_response_from_callback(
                .max, 16 * 1024, HTTPLoop.readStream, context.toOpaque(), HTTPLoop.releaseStream)
            if response == nil { context.release() }
            let (mailbox, number) = (mailbox, connection.number)
            stream.onWake { mailbox.post(.wake(connection: number)) }
        }
        guard let response else { return .NO }
        defer { MHD_destroy_response(response) }
        for (name, value) in answer.headers + responder.headers {
            guard MHD_add_response_header(response, name, value) == .YES else { return .NO }
        }
        connection.stage = .sending(streaming)
        connection.deadline = now + limits.write
        return MHD_queue_response(connection.handle, UInt32(answer.status), response)
    }

    /// Answers while the body of the request is still received. The connection is closed when the next part arrives, or
    /// after `limits.linger`.
    func refuse(_ connection: HTTPConnection, _ answer: HTTPAnswer) {
        connection.stage = .refused
        connection.deadline = now + limits.linger
        guard case .bytes(let bytes) = answer.body else { return }
        var text =
            "HTTP/1.1 \(answer.status) Refused\r\nContent-Length: \(bytes.count)\r\nConnection: close\r\n"
        for (name, value) in answer.headers + responder.headers { text += "\(name): \(value)\r\n" }
        let all = Array((text + "\r\n").utf8) + bytes
        http_send_last(connection.handle, all, all.count)
        shutdown(connection.descriptor, Int32(SHUT_WR))
    }

    /// Called when the answer was sent, or the connection has ended.
    fileprivate func completed(_ connection: HTTPConnection) {
        connection.stream?.stream.close()
        connection.stage = .head
        let listener = connection.listener
        listener.plan.end(connection.planNumber)
        // The library does not notice it if the peer has ended the connection together with the request. A further
        // request that has arrived is begun before the deadline is checked.
        connection.deadline =
            connection.isEnded ? now : now + listener.plan.timeout(of: connection.planNumber)
    }

    // MARK: What the library calls, on the thread of the loop. None of it may trap.

    static func callbacks(_ context: UnsafeMutableRawPointer) -> http_callbacks {
        http_callbacks(
            context: context,
            request: { context, handle, _, method, version, bytes, count, _ in
                guard let loop: HTTPLoop = object(behind: context),
                    let connection: HTTPConnection = object(behind: http_context(handle)), let count
                else { return .NO }
                let part =
                    count.pointee > 0 ? UnsafeRawBufferPointer(start: bytes, count: count.pointee) : nil
                count.pointee = 0
                return loop.handle(connection, HTTPLoop.text(method), HTTPLoop.text(version), part)
            },
            target: { _, target, handle in
                let connection: HTTPConnection? = object(behind: http_context(handle))
                connection?.target = HTTPLoop.text(target)
                return nil
            },
            completed: { context, handle, _, _ in
                guard let loop: HTTPLoop = object(behind: context),
                    let connection: HTTPConnection = object(behind: http_context(handle))
                else { return }
                loop.completed(connection)
            },
            connection: { context, handle, place, event in
                guard let loop: HTTPLoop = object(behind: context), let handle, let place else { return }
                if event == .CONNECTION_NOTIFY_STARTED {
                    place.pointee = loop.started(handle).map { Unmanaged.passRetained($0).toOpaque() }
                } else if let context = place.pointee {
                    place.pointee = nil
                    loop.ended(Unmanaged<HTTPConnection>.fromOpaque(context).takeRetainedValue())
                }
            })
    }

    fileprivate static let readStream: MHD_ContentReaderCallback = { context, _, buffer, count in
        guard let streaming: HTTPStreaming = object(behind: context) else { return -2 }
        return streaming.read(UnsafeMutableRawBufferPointer(start: buffer, count: count))
    }

    fileprivate static let releaseStream: MHD_ContentReaderFreeCallback = { context in
        if let context { Unmanaged<HTTPStreaming>.fromOpaque(context).release() }
    }

    /// The header fields of a request, but no more than `limit` of them.
    private static func fields(of handle: OpaquePointer, atMost limit: Int) -> Fields {
        var found = Fields(limit: limit)
        withUnsafeMutablePointer(to: &found) { pointer in
            _ = MHD_get_connection_values_n(
                handle, .HEADER_KIND,
                { context, _, name, nameSize, value, valueSize in
                    guard let found = context?.assumingMemoryBound(to: Fields.self) else { return .NO }
                    found.pointee.all.append((HTTPLoop.text(name, nameSize), HTTPLoop.text(value, valueSize)))
                    found.pointee.size += nameSize + valueSize + 4
                    return found.pointee.all.count < found.pointee.limit ? .YES : .NO
                }, pointer)
        }
        return found
    }

    private struct Fields {
        let limit: Int
        var all: [(name: String, value: String)] = []
        /// The bytes of their lines, with one space after each colon.
        var size = 0
    }

    private static func text(_ text: UnsafePointer<CChar>?) -> String {
        text.map { String(cString: $0) } ?? ""
    }

    private static func text(_ text: UnsafePointer<CChar>?, _ count: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(start: text, count: text == nil ? 0 : count), as: UTF8.self)
    }
}

/// The object that a context of the library points to.
private func object<Object: AnyObject>(behind context: UnsafeMutableRawPointer?) -> Object? {
    context.map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
}
