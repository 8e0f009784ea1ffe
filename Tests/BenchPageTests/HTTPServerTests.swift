import Bluetooth
import Foundation
import Glibc
import TestSupport
import Testing

@testable import BenchPage

/// Runs `body` with the port of a server.
private func serving(
    _ limits: HTTPLimits = HTTPLimits(), _ responder: TestResponder = TestResponder(),
    _ body: @escaping @Sendable (_ port: Int) async throws -> Void
) async throws {
    let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
    let server = HTTPServer(limits: limits, responder: responder)
    try await withThrowingTaskGroup(of: String?.self) { group in
        group.addTask { await server.run(on: [socket]) }
        try await body(try #require(socket.port))
        group.cancelAll()
        while let failure = try await group.next() { #expect(failure == nil) }
    }
}

/// A request of `/` with these lines more.
private func get(_ path: String = "/", _ more: String = "") -> String {
    "GET \(path) HTTP/1.1\r\nHost: page\r\n\(more)\r\n"
}

private let close = "Connection: close\r\n"

@Suite(.timeLimit(.minutes(2))) struct `An HTTP server` {
    /// A request and the statuses of its answers; nothing if the connection is closed without an answer. libmicrohttpd
    /// 0.9.75 sends its own answers to some heads twice before it closes; 1.0 unfolds lines and refuses extensions of chunks.
    struct Exchange: Sendable, CustomTestStringConvertible {
        let name: String
        let request: String
        let statuses: Set<[Int]>

        init(_ name: String, _ request: String, _ statuses: [Int]...) {
            (self.name, self.request, self.statuses) = (name, request, Set(statuses))
        }

        var testDescription: String { name }
    }

    private static let post = "POST /echo HTTP/1.1\r\nHost: page\r\n"
    private static let chunked = post + close + "Transfer-Encoding: chunked\r\n\r\n"

    @Test(arguments: [
        Exchange("GET", get("/", close), [200]),
        Exchange("an answer that takes time", get("/later", close), [200]),
        Exchange("HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", [200]),
        Exchange("HEAD", "HEAD / HTTP/1.1\r\nHost: page\r\n\(close)\r\n", [200]),
        Exchange("an unknown method", "BREW / HTTP/1.1\r\nHost: page\r\n\(close)\r\n", [404]),
        Exchange("absolute form", "GET http://page/ HTTP/1.1\r\nHost: page\r\n\(close)\r\n", [200]),
        Exchange(
            "absolute form without a path", "GET HTTP://page HTTP/1.1\r\nHost: page\r\n\(close)\r\n", [200]),
        Exchange(
            "absolute form of another host", "GET http://other/ HTTP/1.1\r\nHost: page\r\n\r\n" + get(), [400]
        ),
        Exchange("absolute form without a Host", "GET http://page/ HTTP/1.0\r\n\r\n", [400]),
        Exchange("authority form", "CONNECT other:80 HTTP/1.1\r\nHost: page\r\n\(close)\r\n", [404]),
        Exchange("asterisk form", "OPTIONS * HTTP/1.1\r\nHost: page\r\n\(close)\r\n", [404]),
        Exchange("an encoded path", get("/%6Cater", close), [404]),
        Exchange("an empty line first", "\r\n" + get("/", close), [200]),
        Exchange("pipelined", get() + get("/later") + get("/none", close), [200, 200, 404]),
        Exchange("a body", post + close + "Content-Length: 2\r\n\r\nok", [200]),
        Exchange(
            "a body that is expected", post + close + "Content-Length: 2\r\nExpect: 100-continue\r\n\r\nok",
            [100, 200], [200]),
        Exchange("chunks", chunked + "1\r\no\r\n1;x=y\r\nk\r\n0\r\nX: y\r\n\r\n", [200], [400]),
        Exchange("two Hosts", "GET / HTTP/1.1\r\nHost: page\r\nhost: page\r\n\r\n" + get(), [400]),
        Exchange("garbage", "\u{1}\u{2}\u{3}\r\n\r\n" + get(), [], [400]),
        Exchange("no version", "GET /\r\n\r\n", [], [400]),
        Exchange("HTTP/0.9", "GET / HTTP/0.9\r\n\r\n", [400], [505]),
        Exchange("HTTP/1.2", "GET / HTTP/1.2\r\nHost: page\r\n\r\n" + get(), [400]),
        Exchange("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400], [505]),
        Exchange("a version in lower case", "GET / http/1.1\r\nHost: page\r\n\r\n", [400]),
        Exchange(
            "a space in the target", "GET /a b HTTP/1.1\r\nHost: page\r\n\r\n" + get(), [], [301], [400]),
        Exchange("a line without a colon", get("/", "nothing\r\n") + get(), [400]),
        Exchange("a space after a name", get("/", "X : y\r\n") + get(), [400]),
        Exchange("a field without a name", get("/", ": y\r\n") + get(), [400]),
        Exchange("a control character in a value", get("/", "X: a\u{1}b\r\n") + get(), [400]),
        Exchange("a zero in a value", get("/", "X: a\0b\r\n") + get(), [400]),
        Exchange("a zero in a name", get("/", "X\0Y: b\r\n") + get(), [400]),
        Exchange("a zero in the target", get("/\0later") + get(), [400], []),
        Exchange("a line that begins with a zero", get("/", "\0X: b\r\n") + get(), [400]),
        Exchange("a folded line", get("/", "X: a\r\n b\r\n") + get(), [400], [200, 200]),
        Exchange("a folded line first", get("/", " X: a\r\n") + get(), [400], [200, 200]),
        Exchange(
            "no space after the colon", "GET / HTTP/1.1\r\nHost:page\r\nConnection:close\r\n\r\n", [200]),
        Exchange("bare line feeds", "GET / HTTP/1.1\nHost: page\nConnection: close\n\n", [200]),
        Exchange("a bare CR in a value", get("/", "X: a\rY: b\r\n") + get(), [400]),
        Exchange("two lengths", post + "Content-Length: 2\r\nContent-Length: 3\r\n\r\nok" + get(), [400]),
        Exchange(
            "two equal lengths", post + "Content-Length: 2\r\nContent-Length: 2\r\n\r\nok" + get(), [400]),
        Exchange(
            "a length and another", post + "Content-Length: 0\r\nContent-Length: 30\r\n\r\n" + get(), [400]),
        Exchange(
            "a length and chunks",
            post + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + get(), [400]),
        Exchange("an unknown coding", post + "Transfer-Encoding: gzip\r\n\r\nabc" + get(), [400]),
        Exchange(
            "a list of codings", post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" + get(), [400]),
        Exchange(
            "chunks twice",
            post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + get(), [400]),
        Exchange(
            "chunks in HTTP/1.0",
            "POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + get(), [400]),
        Exchange("no number as length", post + "Content-Length: ten\r\n\r\n" + get(), [400], [400, 400]),
        Exchange("a negative length", post + "Content-Length: -1\r\n\r\n" + get(), [400], [400, 400]),
        Exchange(
            "a length of two numbers", post + "Content-Length: 2, 2\r\n\r\nok" + get(), [400], [400, 400]),
        Exchange(
            "a length that overflows", post + "Content-Length: 99999999999999999999\r\n\r\n" + get(), [413],
            [413, 413]),
        Exchange("a chunk without a size", chunked + "\r\nab" + get(), [400]),
        Exchange("a chunk's size that is no number", chunked + "zz\r\nab" + get(), [400]),
        Exchange("a chunk's size that overflows", chunked + "FFFFFFFFFFFFFFFFF\r\nab" + get(), [413]),
        Exchange("a chunk that is longer than said", chunked + "1\r\nabc\r\n" + get(), [400]),
        Exchange(
            "a body that is refused unread",
            "POST /none HTTP/1.1\r\nHost: page\r\nContent-Length: 40\r\n\r\n" + get(), [404]),
        Exchange("many fields", get("/", String(repeating: "X: y\r\n", count: 80)) + get(), [431]),
        Exchange(
            "a long field", get("/", "X: " + String(repeating: "y", count: 20_000) + "\r\n") + get(), [431]),
        Exchange(
            "a field longer than the server's memory",
            get("/", "X: " + String(repeating: "y", count: 90_000)), [431]),
        Exchange("a long target", get("/" + String(repeating: "y", count: 20_000)) + get(), [431]),
        Exchange(
            "a target longer than the server's memory", get("/" + String(repeating: "y", count: 90_000)),
            [414]),
        Exchange("many parameters", get("/?" + String(repeating: "a&", count: 6000)), [], [431]),
        Exchange(
            "many cookies", get("/", "Cookie: " + String(repeating: "a;", count: 6000) + "\r\n"), [431],
            [431, 431], [200]),
    ])
    func `answers or closes`(_ exchange: Exchange) async throws {
        try await serving { port in
            let peer = try RawPeer(port)
            await peer.send(exchange.request)
            let (text, isClosed) = try await peer.receive()
            #expect(isClosed && exchange.statuses.contains(RawPeer.statuses(text)), "\(text.prefix(400))")
        }
    }

    @Test func `sends headers, length and content, and no content for HEAD`() async throws {
        try await serving { port in
            let peer = try RawPeer(port)
            await peer.send(get("/", close))
            let text = try await peer.receive().text
            for line in [
                "Content-Type: text/plain", "Content-Length: 5", "X-Every: answer", "Connection: close",
                "Date: ",
            ] {
                #expect(text.contains("\r\n" + line), "\(text)")
            }
            #expect(text.hasSuffix("\r\n\r\nhello"))
            let other = try RawPeer(port)
            await other.send("HEAD / HTTP/1.1\r\nHost: page\r\n\(close)\r\n")
            let head = try await other.receive().text
            #expect(head.contains("\r\nContent-Length: 5\r\n") && head.hasSuffix("\r\n\r\n"))
        }
    }

    @Test(arguments: [1, 7, 1000]) func `takes a request in pieces`(_ size: Int) async throws {
        try await serving { port in
            let peer = try RawPeer(port)
            let body = String(repeating: "0123456789", count: 100)
            let request = Array(
                (Self.post + close + "Content-Length: \(body.utf8.count)\r\n\r\n" + body).utf8)
            for start in stride(from: 0, to: request.count, by: size) {
                await peer.send(Array(request[start..<min(start + size, request.count)]))
            }
            #expect(try await peer.receive().text.hasSuffix("\r\n\r\n" + body))
        }
    }

    @Test func `refuses a body that is too large, announced or not`() async throws {
        try await serving { port in
            let limit = HTTPLimits().bodyBytes
            let peer = try RawPeer(port)
            await peer.send(
                Self.post + "Content-Length: \(limit + 1)\r\n\r\n" + String(repeating: "x", count: limit + 1))
            #expect(RawPeer.statuses(try await peer.receive().text) == [413])
            // Its length is enough: nothing of it has to arrive.
            let brief = try RawPeer(port)
            await brief.send(Self.post + "Content-Length: \(limit + 1)\r\n\r\n")
            #expect(RawPeer.statuses(try await brief.receive { $0.hasSuffix("body") }.text) == [413])
            let other = try RawPeer(port)
            let chunk = "1000\r\n" + String(repeating: "x", count: 4096) + "\r\n"
            await other.send(Self.chunked + String(repeating: chunk, count: limit / 4096 + 2))
            #expect(RawPeer.statuses(try await other.receive().text) == [413])
            let third = try RawPeer(port)
            await third.send(
                Self.post + close + "Content-Length: \(limit)\r\n\r\n" + String(repeating: "x", count: limit))
            #expect(RawPeer.statuses(try await third.receive().text) == [200])
        }
    }

    @Test(arguments: ["/", "/later"]) func `answers a peer that sends no more, and closes`(_ path: String)
        async throws
    {
        try await serving { port in
            let peer = try RawPeer(port)
            await peer.send(get() + get(path))
            peer.finish()
            let start = ContinuousClock.now
            let (text, isClosed) = try await peer.receive()
            #expect(isClosed && !text.isEmpty && ContinuousClock.now - start < .seconds(4), "\(text)")
        }
    }

    // MARK: Time

    private static let hasty: HTTPLimits = {
        var limits = HTTPLimits()
        (limits.strangersHead, limits.idle) = (.milliseconds(300), .milliseconds(600))
        (limits.body, limits.write) = (.milliseconds(300), .milliseconds(500))
        return limits
    }()

    @Test(arguments: ["", "G", "GET / HTTP/1.1\r\nX: "])
    func `closes a connection whose head does not arrive`(_ beginning: String) async throws {
        // The limit of owners would be too long for the peer.
        var limits = Self.hasty
        limits.idle = .seconds(60)
        try await serving(limits) { port in
            let peer = try RawPeer(port)
            let start = ContinuousClock.now
            await peer.send(beginning)
            let (text, isClosed) = try await peer.receive()
            #expect(isClosed && text.isEmpty && ContinuousClock.now - start >= .milliseconds(290))
        }
    }

    @Test func `keeps the connection of an owner for longer`() async throws {
        try await serving(Self.hasty) { port in
            let peer = try RawPeer(port)
            // Before the answer, which may be read late.
            let start = ContinuousClock.now
            await peer.send(get("/", "X-Owner: one\r\n"))
            _ = try await peer.receive { $0.hasSuffix("hello") }
            let isClosed = try await peer.receive().isClosed
            #expect(isClosed && ContinuousClock.now - start >= .milliseconds(550))
        }
    }

    @Test func `answers a body that does not arrive with 408`() async throws {
        try await serving(Self.hasty) { port in
            let peer = try RawPeer(port)
            await peer.send(Self.post + "Content-Length: 10\r\n\r\nabc")
            let (text, isClosed) = try await peer.receive()
            #expect(isClosed && RawPeer.statuses(text) == [408], "\(text)")
        }
    }

    @Test func `closes a connection whose reader does not read`() async throws {
        try await serving(Self.hasty) { port in
            let peer = try RawPeer(port, window: 4096)
            await peer.send(get("/large"))
            // A second connection is idle longer than the first may take to read.
            let idle = try RawPeer(port)
            await idle.send(get("/", "X-Owner: one\r\n"))
            _ = try await idle.receive { $0.hasSuffix("hello") }
            #expect(try await idle.receive().isClosed)
            let (text, isClosed) = try await peer.receive()
            #expect(isClosed && text.utf8.count < TestResponder.large)
        }
    }

    // MARK: Streams

    @Test func `sends a stream as it is made`() async throws {
        let responder = TestResponder()
        try await serving(HTTPLimits(), responder) { port in
            let peer = try RawPeer(port)
            await peer.send(get("/stream"))
            let text = try await peer.receive { $0.hasSuffix("5\r\nfirst\r\n") }.text
            #expect(text.contains("\r\nTransfer-Encoding: chunked\r\n"))
            responder.stream.push("next")
            #expect(try await peer.receive { $0.hasSuffix("4\r\nnext\r\n") }.text == "4\r\nnext\r\n")
            let long = String(repeating: "long", count: 100_000)
            responder.stream.push(long)
            let pieces = try await peer.receive {
                $0.utf8.count > long.utf8.count && Self.content(ofChunks: $0).count >= long.utf8.count
            }.text
            #expect(Self.content(ofChunks: pieces) == Array(long.utf8))
        }
    }

    /// The content of whole chunks.
    private static func content(ofChunks text: String) -> [UInt8] {
        var rest = Array(text.utf8)[...]
        var content: [UInt8] = []
        while let end = rest.firstIndex(of: 0x0D),
            let count = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16),
            rest.distance(from: end, to: rest.endIndex) >= count + 4
        {
            content += rest[(end + 2)..<(end + 2 + count)]
            rest = rest[(end + count + 4)...]
        }
        return content
    }

    @Test func `sends a stream without chunks to HTTP 1.0`() async throws {
        let responder = TestResponder()
        try await serving(HTTPLimits(), responder) { port in
            let peer = try RawPeer(port)
            await peer.send("GET /stream HTTP/1.0\r\n\r\n")
            let text = try await peer.receive { $0.hasSuffix("first") }.text
            #expect(!text.contains("chunked") && text.hasSuffix("\r\n\r\nfirst"))
            responder.stream.push("next")
            #expect(try await peer.receive { $0.hasSuffix("next") }.text == "next")
        }
    }

    @Test(arguments: [true, false]) func `notices that a stream's reader is gone`(whole: Bool) async throws {
        let responder = TestResponder()
        try await serving(HTTPLimits(), responder) { port in
            var peer: RawPeer? = try RawPeer(port)
            await peer?.send(get("/stream"))
            _ = try await peer?.receive { $0.hasSuffix("first\r\n") }
            if whole { peer = nil } else { peer?.finish() }
            for await _ in responder.stream.ends {}
        }
    }

    @Test func `ends streams and waiting requests when it stops`() async throws {
        let (peers, reached) = AsyncStream.makeStream(of: RawPeer.self)
        let start = ContinuousClock.now
        try await serving { port in
            for path in ["/stream", "/never", "/large"] {
                let peer = try RawPeer(port, window: path == "/large" ? 4096 : nil)
                await peer.send(get(path))
                if path == "/stream" { _ = try await peer.receive { $0.hasSuffix("first\r\n") } }
                reached.yield(peer)
            }
            reached.yield(try RawPeer(port))
            // The server has the requests: it answers one after them.
            let last = try RawPeer(port)
            await last.send(get("/", close))
            _ = try await last.receive()
        }
        #expect(ContinuousClock.now - start < .seconds(8))
        reached.finish()
        var texts: [String] = []
        for await peer in peers {
            let (text, isClosed) = try await peer.receive()
            #expect(isClosed)
            texts.append(text)
        }
        #expect(texts.first == "0\r\n\r\n")
    }

    // MARK: Places

    @Test func `closes the oldest stranger for another, and none with an owner`() async throws {
        try await serving { port in
            let owner = try RawPeer(port)
            await owner.send(get("/", "X-Owner: one\r\n"))
            _ = try await owner.receive { $0.hasSuffix("hello") }
            let peers = try (0..<PageLimits.strangers + 20).map { _ in try RawPeer(port) }
            #expect(try await peers[0].receive().isClosed)
            let last = try RawPeer(port)
            await last.send(get("/", close))
            #expect(RawPeer.statuses(try await last.receive().text) == [200])
            let newest = try #require(peers.last)
            await newest.send(get("/", close))
            #expect(RawPeer.statuses(try await newest.receive().text) == [200])
            await owner.send(get("/", close))
            #expect(RawPeer.statuses(try await owner.receive().text) == [200])
        }
    }

    // MARK: Random requests

    @Test(arguments: 0..<UInt64(4)) func `survives random and mutated requests`(_ number: UInt64) async throws
    {
        let whole = [
            get(), get("/later"), get("/stream"), Self.post + "Content-Length: 5\r\n\r\nhello",
            Self.chunked + "5\r\nhello\r\n0\r\n\r\n",
            get("/?limit=5&text=%20", "Cookie: a=b; c=\"d\"\r\nRange: bytes=0-1\r\n"),
        ].map { Array($0.utf8) }
        try await serving(Self.hasty) { port in
            var seed = Seed(number)
            for _ in 0..<250 {
                var request = (0..<Int.random(in: 1...3, using: &seed)).flatMap { _ in
                    whole.randomElement(using: &seed) ?? []
                }
                for _ in 0..<Int.random(in: 0...6, using: &seed) where !request.isEmpty {
                    let place = Int.random(in: 0..<request.count, using: &seed)
                    switch Int.random(in: 0...4, using: &seed) {
                    case 0: request[place] = UInt8.random(in: 0...255, using: &seed)
                    case 1: request.remove(at: place)
                    case 2:
                        request.insert([0, 9, 10, 13, 32, 58].randomElement(using: &seed) ?? 0, at: place)
                    case 3: request.removeSubrange(place..<min(place + 20, request.count))
                    default:
                        request.insert(contentsOf: request[place..<min(place + 40, request.count)], at: place)
                    }
                }
                let peer = try RawPeer(port)
                let cut = Int.random(in: 0...request.count, using: &seed)
                await peer.send(Array(request[..<cut]))
                await peer.send(Array(request[cut...]))
                if Bool.random(using: &seed) { peer.finish() }
            }
            let peer = try RawPeer(port)
            await peer.send(get("/", close))
            #expect(RawPeer.statuses(try await peer.receive().text) == [200])
        }
    }
}

@Suite struct `A private socket` {
    /// U+10FFFF stands for the byte FF in a path.
    @Test func `has the bytes of its path as its name, also if they are not UTF-8`() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/beacon-dfu-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let name = (folder + "/s").utf8CString.dropLast() + [-1, 0]
        let path = folder + "/s\u{10FFFF}"
        let socket = try PrivateSocket(at: path)
        #expect(access(Array(name), F_OK) == 0)
        #expect(throws: BenchServerError.self) { try PrivateSocket(at: path) }
        Glibc.close(socket.socket.descriptor)
        socket.remove()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }
}
