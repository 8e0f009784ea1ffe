import CLinux
import CMicrohttpd
import Glibc

/// The loop that a server's thread runs.
final class HTTPLoop {
    /// Bytes that the library uses for a connection: for a head, its fields, a copy of its cookies, part of an answer.
    private static let memory = 64 * 1024
    /// POLLRDHUP of poll(2), which needs _GNU_SOURCE: the peer sends no more.
    private static let endOfInput: Int16 = 0x2000
    /// The most connections of a listener that are accepted in one turn of the loop.
    private static let mostArrivals = 64

    let limits: HTTPLimits
    let responder: any HTTPResponder
    let mailbox: HTTPServer.Mailbox
    private var listeners: [HTTPListener] = []
    private var daemon: OpaquePointer?
    private var connections: [Int: HTTPConnection] = [:]
    private var lastNumber = 0
    /// The connections that were handed to the library, by their descriptors: libmicrohttpd 1.0 takes them later.
    private var arriving: [Int32: (listener: HTTPListener, planNumber: Int, client: String)] = [:]
    /// Closed connections, whose peers may still send.
    private var lingering: [(descriptor: Int32, deadline: Duration)] = []
    /// When the server stops at the latest; nil until it was asked to stop.
    private var stopping: Duration?
    private let clock = ContinuousClock()
    private let start = ContinuousClock.now

    init(
        _ sockets: [ListeningSocket], isSecure: Bool, _ limits: HTTPLimits, _ responder: any HTTPResponder,
        _ mailbox: HTTPServer.Mailbox
    ) {
        (self.limits, self.responder, self.mailbox) = (limits, responder, mailbox)
        let plan = ConnectionPlan(
            grace: isSecure ? PageLimits.strangersHandshake : PageLimits.strangersGrace,
            strangersHead: limits.strangersHead, idle: limits.idle)
        listeners = sockets.map { HTTPListener($0, plan) }
    }

    var now: Duration { clock.now - start }

    /// Serves until it was asked to stop, and then returns nil; returns the reason if it cannot serve any longer.
    func run(_ tls: HTTPServer.TLS?) -> String? {
        defer { for listener in listeners { close(listener.descriptor) } }
        var message = [CChar](repeating: 0, count: Int(http_message_size))
        // The library keeps all these pointers while it runs.
        return message.withUnsafeMutableBufferPointer { message in
            HTTPServer.TLS.ciphers.withCString { ciphers in
                (tls?.certificate ?? []).withUnsafeBufferPointer { certificate in
                    (tls?.key ?? []).withUnsafeBufferPointer { key in
                        var callbacks = HTTPLoop.callbacks(Unmanaged.passUnretained(self).toOpaque())
                        let places = PageLimits.strangers + PageLimits.connections
                        daemon = http_start(
                            &callbacks, UInt32(2 * places * max(listeners.count, 1)), Self.memory,
                            tls == nil ? nil : certificate.baseAddress, tls == nil ? nil : key.baseAddress,
                            ciphers, message.baseAddress)
                        guard let daemon else {
                            return message.baseAddress.map { String(cString: $0) } ?? "no server"
                        }
                        let failure = serve(daemon)
                        end(daemon)
                        return failure
                    }
                }
            }
        }
    }

    private func serve(_ daemon: OpaquePointer) -> String? {
        while true {
            if let failure = wait(daemon) { return failure }
            for message in mailbox.take() { receive(message) }
            guard MHD_run(daemon) == .YES else { return "MHD_run" }
            let now = now
            for connection in Array(connections.values) where connection.deadline.map({ $0 <= now }) == true {
                expire(connection)
            }
            if let stopping {
                let isSending = connections.values.contains {
                    if case .sending = $0.stage { !$0.isDropped } else { false }
                }
                if !isSending || stopping <= now { return nil }
            } else {
                for listener in listeners {
                    makeRoom(listener)
                    admit(from: listener)
                }
            }
        }
    }

    private func end(_ daemon: OpaquePointer) {
        for connection in Array(connections.values) {
            if case .waiting(let task) = connection.stage { task?.cancel() }
            connection.drop()
        }
        MHD_stop_daemon(daemon)
        for entry in lingering { close(entry.descriptor) }
        lingering = []
    }

    // MARK: Waiting

    /// Waits until a descriptor is ready or a time limit has passed. Returns the reason if waiting failed, else nil.
    private func wait(_ daemon: OpaquePointer) -> String? {
        let readable = Int16(POLLIN)
        var polled = [
            pollfd(fd: mailbox.doorbell, events: readable, revents: 0),
            pollfd(fd: http_descriptor(daemon), events: readable, revents: 0),
        ]
        if stopping == nil {
            for listener in listeners where listener.alarm == nil && listener.pause == nil {
                polled.append(pollfd(fd: listener.descriptor, events: readable, revents: 0))
            }
        }
        let first = polled.count
        polled += lingering.map { pollfd(fd: $0.descriptor, events: readable, revents: 0) }
        // The library does not watch suspended connections, so the end of a stream's reader is noticed here.
        let idle = connections.values.filter { $0.isSuspended && $0.stream != nil }
        polled += idle.map { pollfd(fd: $0.descriptor, events: Self.endOfInput, revents: 0) }
        guard poll(&polled, nfds_t(polled.count), timeout(daemon)) >= 0 || errno == EINTR else {
            return "poll: \(String(cString: strerror(errno)))"
        }
        let now = now
        for (entry, connection) in zip(polled[(first + lingering.count)...], idle) where entry.revents != 0 {
            finish(connection)
        }
        let open = zip(polled[first...], lingering).filter { entry, one in
            let isOpen = one.deadline > now && (entry.revents == 0 || Self.drain(one.descriptor))
            if !isOpen { close(one.descriptor) }
            return isOpen
        }
        lingering = open.map(\.1)
        return nil
    }

    /// Milliseconds until the next time limit; -1 for none.
    private func timeout(_ daemon: OpaquePointer) -> Int32 {
        var pending: UInt64 = 0
        if MHD_get_timeout(daemon, &pending) == .YES { return Int32(clamping: pending) }
        let moments =
            connections.values.compactMap(\.deadline) + listeners.compactMap(\.alarm)
            + listeners.compactMap(\.pause) + lingering.map(\.deadline) + [stopping].compactMap(\.self)
        guard let next = moments.min() else { return -1 }
        return Int32(clamping: Int((max(next - now, .zero) / .milliseconds(1)).rounded(.up)))
    }

    /// Reads and drops what has arrived; returns whether more may come.
    private static func drain(_ descriptor: Int32) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 1) { buffer in
            for _ in 0..<16 {
                let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                if count <= 0 { return count < 0 && (errno == EAGAIN || errno == EINTR) }
            }
            return true
        }
    }

    // MARK: Connections

    private func admit(from listener: HTTPListener) {
        if let pause = listener.pause, pause <= now { listener.pause = nil }
        for _ in 0..<Self.mostArrivals where listener.plan.hasRoom && listener.pause == nil {
            guard let daemon, let arrival = listener.accept(at: now) else { return }
            let planNumber = listener.plan.add(from: arrival.client, at: now)
            arriving[arrival.descriptor] = (listener, planNumber, arrival.client)
            var address = arrival.address
            let result = withGeneralAddress(&address) { address, _ in
                MHD_add_connection(daemon, arrival.descriptor, address, arrival.length)
            }
            // On failure, the library has closed the descriptor.
            if result != .YES {
                arriving[arrival.descriptor] = nil
                listener.plan.remove(planNumber)
            }
            makeRoom(listener)
        }
    }

    /// Closes strangers until another connection can be accepted. If the next to close has not had its minimum time,
    /// sets the alarm to its end. What has arrived from strangers was read before.
    private func makeRoom(_ listener: HTTPListener) {
        listener.alarm = nil
        while let (number, due) = listener.plan.nextToClose(at: now) {
            guard due <= now else {
                listener.alarm = due
                return
            }
            if let connection = listener.connections[number] {
                connection.drop()
            } else {
                listener.plan.remove(number)
            }
        }
    }

    private func receive(_ message: HTTPServer.Message) {
        switch message {
        case .stop:
            guard stopping == nil else { return }
            stopping = now + limits.stop
            for connection in connections.values { finish(connection) }
        case .wake(let number):
            guard let connection = connections[number], let stream = connection.stream else { return }
            stream.isAwake = true
            connection.resume()
        case .answer(let number, let request, let answer):
            guard let connection = connections[number], connection.request == request,
                case .waiting = connection.stage
            else { return }
            connection.stage = .decided(.answer(answer))
            connection.resume()
        }
    }

    /// Ends the stream of a connection; without one, closes the connection unless its answer is being sent.
    private func finish(_ connection: HTTPConnection) {
        switch connection.stage {
        case .sending(let stream?):
            stream.isOver = true
            connection.resume()
        case .sending(nil), .decided: break
        case .waiting(let task):
            task?.cancel()
            connection.drop()
        case .head, .body, .refused: connection.drop()
        }
    }

    private func expire(_ connection: HTTPConnection) {
        guard case .body = connection.stage else { return connection.drop() }
        refuse(connection, responder.refusal(.slowBody))
    }

    func started(_ handle: OpaquePointer) -> HTTPConnection? {
        guard let (listener, planNumber, client) = arriving.removeValue(forKey: http_socket(handle)) else {
            return nil
        }
        lastNumber += 1
        let connection = HTTPConnection(lastNumber, planNumber: planNumber, handle, client, listener)
        connection.deadline = now + listener.plan.timeout(of: planNumber)
        connections[connection.number] = connection
        listener.connections[planNumber] = connection
        return connection
    }

    func ended(_ connection: HTTPConnection) {
        connections[connection.number] = nil
        connection.listener.connections[connection.planNumber] = nil
        connection.listener.plan.remove(connection.planNumber)
        if !connection.isDropped, stopping == nil { linger(connection) }
    }

    /// Keeps the socket until its peer has closed it too, but no longer than `limits.linger`.
    private func linger(_ connection: HTTPConnection) {
        guard lingering.count < limits.lingering, !connection.isEnded else { return }
        let copy = fcntl(connection.descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return }
        shutdown(copy, Int32(SHUT_WR))
        lingering.append((copy, now + limits.linger))
    }
}
