import CMicrohttpd
import Glibc

/// A connection. The library owns it from its arrival until it reports the end.
final class HTTPConnection {
    /// How far its request is.
    enum Stage {
        case head
        case body([UInt8], then: @Sendable ([UInt8]) -> HTTPStep)
        /// The request has arrived, and this step is to be taken.
        case decided(HTTPStep)
        /// The answer is not known yet; the connection is suspended.
        case waiting(Task<Void, Never>?)
        case sending(HTTPStreaming?)
        /// The request was refused before its body had arrived.
        case refused
    }

    /// The number by which messages name the connection, and its number in the listener's plan.
    let number: Int
    let planNumber: Int
    let handle: OpaquePointer
    let descriptor: Int32
    let client: String
    unowned let listener: HTTPListener
    /// When the connection is closed if nothing happens before; nil for no limit.
    var deadline: Duration?
    var stage = Stage.head
    var target = ""
    /// The number of its latest request, from 1: an answer to an earlier one is dropped.
    var request = 0
    /// Whether the library leaves the connection alone until `resume`.
    var isSuspended = false
    /// Whether it is being closed, whatever it is doing.
    var isDropped = false

    init(_ number: Int, planNumber: Int, _ handle: OpaquePointer, _ client: String, _ listener: HTTPListener)
    {
        (self.number, self.planNumber) = (number, planNumber)
        (self.handle, self.client) = (handle, client)
        self.listener = listener
        descriptor = http_socket(handle)
    }

    var stream: HTTPStreaming? { if case .sending(let stream) = stage { stream } else { nil } }

    /// Whether the peer sends no more, and all that it has sent was read.
    var isEnded: Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count == 0 || count < 0 && errno != EAGAIN
    }

    func suspend() {
        MHD_suspend_connection(handle)
        isSuspended = true
    }

    func resume() {
        guard isSuspended else { return }
        isSuspended = false
        MHD_resume_connection(handle)
    }

    func drop() {
        isDropped = true
        listener.plan.mark(planNumber, isClosing: true)
        // The library notices the end, but that of a suspended connection only after it was resumed.
        shutdown(descriptor, Int32(SHUT_RDWR))
        resume()
    }
}

/// The answer of a connection that is a stream.
final class HTTPStreaming {
    let stream: any HTTPStream
    unowned let connection: HTTPConnection
    unowned let loop: HTTPLoop
    /// The part that is being sent, and how many of its bytes the library has.
    var part: [UInt8] = []
    var sent = 0
    /// Whether there may be a next part.
    var isAwake = true
    /// Whether the reader is gone, or the server stops.
    var isOver = false

    init(_ stream: any HTTPStream, _ connection: HTTPConnection, _ loop: HTTPLoop) {
        (self.stream, self.connection, self.loop) = (stream, connection, loop)
    }

    /// Copies the next bytes to `buffer`. Returns their number, 0 if there are none yet and the connection was
    /// suspended, or one of the library's codes, which Swift does not import.
    func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let (endOfStream, endWithError) = (-1, -2)
        if connection.isDropped { return endWithError }
        if sent == part.count {
            connection.deadline = nil
            if sent > 0 { stream.didSend() }
            (part, sent) = ([], 0)
            if isAwake, !isOver {
                isAwake = false
                if let next = stream.next() { part = Array(next.utf8) } else { isOver = true }
            }
            if isOver { return endOfStream }
            guard !part.isEmpty else {
                connection.suspend()
                return 0
            }
            connection.deadline = loop.now + loop.limits.write
        }
        let count = min(buffer.count, part.count - sent)
        part.withUnsafeBytes {
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[sent..<sent + count]))
        }
        sent += count
        return count
    }
}
