import Bluetooth
import Glibc
import Synchronization

@testable import BenchPage

/// A peer of a server that sends what it likes.
final class RawPeer: Sendable {
    private let descriptor: Int32
    private let loop: EventLoop

    /// Connects to a port of the loopback. With `window`, the kernel keeps few bytes for it.
    init(_ port: Int, window: Int32? = nil) throws {
        loop = try EventLoop.shared.get()
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if var window {
            setsockopt(
                descriptor, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout.size(ofValue: window)))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw SocketError(call: "connect", errno: errno) }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// Sends all bytes; returns whether the server took them.
    @discardableResult func send(_ text: String) async -> Bool { await send(Array(text.utf8)) }

    /// Sends all bytes; returns whether the server took them.
    @discardableResult func send(_ bytes: [UInt8]) async -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty, !Task.isCancelled {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EAGAIN { return false }
            if !rest.isEmpty { await loop.wait(for: .writable, of: descriptor) }
        }
        return rest.isEmpty
    }

    /// Ends its own direction.
    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// What arrives until the server closes, or until `isEnough`, but for at most ten seconds. A reset is an end too.
    func receive(
        until isEnough: @escaping @Sendable (String) -> Bool = { _ in false }
    ) async throws -> (text: String, isClosed: Bool) {
        let found = Mutex<[UInt8]>([])
        let isClosed = try await loop.clock.within(.seconds(10)) { [self] in
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while !Task.isCancelled {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                if count == 0 || count < 0 && errno != EAGAIN { return true }
                if count > 0 {
                    let text = found.withLock { bytes in
                        bytes += buffer.prefix(count)
                        return String(decoding: bytes, as: UTF8.self)
                    }
                    if isEnough(text) { return false }
                } else {
                    await loop.wait(for: .readable, of: descriptor)
                }
            }
            return false
        }
        return (found.withLock { String(decoding: $0, as: UTF8.self) }, isClosed ?? false)
    }

    /// The statuses of the answers in `text`.
    static func statuses(_ text: String) -> [Int] {
        text.split(separator: "HTTP/1.1 ", omittingEmptySubsequences: false).dropFirst().compactMap {
            Int($0.prefix(3))
        }
    }
}

/// Answers for tests.
final class TestResponder: HTTPResponder {
    let headers = [(name: "X-Every", value: "answer")]
    /// The stream of `/stream`.
    let stream = TestStream()
    /// The content of `/large`.
    static let large = 8 << 20

    func step(for request: HTTPRequest, assigningOwner assign: (String) -> Void) -> HTTPStep {
        if let owner = request["x-owner"] { assign(owner) }
        return switch (request.method, request.path) {
        case ("GET", "/"), ("HEAD", "/"): .answer(HTTPAnswer(type: "text/plain", text: "hello"))
        case ("GET", "/later"): .later { HTTPAnswer(type: "text/plain", text: "late") }
        case ("GET", "/never"):
            // Until the request is cancelled.
            .later {
                try? await Task.sleep(for: .seconds(600))
                return HTTPAnswer(type: "text/plain", text: "never")
            }
        case ("POST", "/echo"): .body { .answer(HTTPAnswer(type: "text/plain", body: .bytes($0))) }
        case ("GET", "/large"):
            .answer(HTTPAnswer(type: "text/plain", body: .bytes([UInt8](repeating: 0x78, count: Self.large))))
        case ("GET", "/stream"): .answer(HTTPAnswer(type: "text/plain", body: .stream(stream)))
        default: .answer(HTTPAnswer(status: 404, type: "text/plain", text: request.target))
        }
    }

    func refusal(_ problem: HTTPProblem) -> HTTPAnswer {
        switch problem {
        case .malformed(let what): HTTPAnswer(status: 400, type: "text/plain", text: what)
        case .largeHead: HTTPAnswer(status: 431, type: "text/plain", text: "head")
        case .largeBody: HTTPAnswer(status: 413, type: "text/plain", text: "body")
        case .slowBody: HTTPAnswer(status: 408, type: "text/plain", text: "slow")
        }
    }
}

/// A stream that sends what a test gives it.
final class TestStream: HTTPStream {
    private struct State: Sendable {
        var text = "first"
        var wake: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    /// Ends when the reader is gone.
    let ends: AsyncStream<Void>
    private let ended: AsyncStream<Void>.Continuation

    init() { (ends, ended) = AsyncStream.makeStream(of: Void.self) }

    func push(_ text: String) {
        state.withLock { state in
            state.text += text
            return state.wake
        }?()
    }

    func next() -> String? {
        state.withLock { state in
            defer { state.text = "" }
            return state.text
        }
    }

    func didSend() {}
    func onWake(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }
    func close() { ended.finish() }
}
