import Bluetooth
import Testing
import Tray
import UpdateModel
import Work

@testable import BenchPage
@testable import WorkServer

/// A folder of files: the last part of a path says what is answered.
private struct MirrorResponder: HTTPResponder {
    let headers: [(name: String, value: String)] = []

    func step(for request: HTTPRequest, assigningOwner: (String) -> Void) -> HTTPStep {
        let type = "application/octet-stream"
        switch request.path {
        case "/files/sha256/small": return .answer(HTTPAnswer(type: type, text: "content"))
        case "/files/sha256/largest", "/files/sha256/larger":
            let size = FileMirror.largestFile + (request.path.hasSuffix("larger") ? 1 : 0)
            return .answer(HTTPAnswer(type: type, body: .bytes([UInt8](repeating: 7, count: size))))
        case "/files/sha256/elsewhere":
            var answer = HTTPAnswer(status: 302, type: type, text: "")
            answer.headers.append(("Location", "/files/sha256/small"))
            return .answer(answer)
        case "/files/sha256/never":
            // Until the request is cancelled.
            return .later {
                try? await Task.sleep(for: .seconds(600))
                return HTTPAnswer(type: type, text: "")
            }
        default: return .answer(HTTPAnswer(status: 404, type: type, text: request.target))
        }
    }

    func refusal(_ problem: HTTPProblem) -> HTTPAnswer {
        HTTPAnswer(status: 400, type: "text/plain", text: "")
    }
}

@Suite(.timeLimit(.minutes(2))) struct `A mirror of files` {
    /// Runs `body` with a mirror.
    private func mirrored(_ body: @escaping @Sendable (FileMirror) async throws -> Void) async throws {
        let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
        let address = try #require(MirrorAddress("http://127.0.0.1:\(socket.port ?? 0)/files/"))
        let time = try EventLoop.shared.get().clock
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = await HTTPServer(responder: MirrorResponder()).run(on: [socket]) }
            try await body(FileMirror(address, time: time, timeout: .seconds(15)))
            group.cancelAll()
        }
    }

    /// The code of the error, and its message.
    private static func error(_ mirror: FileMirror, _ file: String) async -> WorkError? {
        do throws(WorkError) {
            _ = try await mirror.file(file)
            return nil
        } catch {
            return error
        }
    }

    @Test func `gives a file below its address, the largest too`() async throws {
        try await mirrored { mirror in
            let (small, largest) = (try await mirror.file("small"), try await mirror.file("largest"))
            #expect(small == Array("content".utf8))
            #expect(largest.count == FileMirror.largestFile)
        }
    }

    @Test func `lacks a file that it does not answer with`() async throws {
        try await mirrored { mirror in
            #expect(await Self.error(mirror, "nothing")?.code == .station.mirrorLacksFile)
            #expect(await Self.error(mirror, "elsewhere")?.code == .station.mirrorLacksFile, "it follows")
        }
    }

    @Test func `does not send more than the largest file`() async throws {
        try await mirrored { mirror in
            #expect(await Self.error(mirror, "larger")?.code == .station.mirrorUnreachable)
        }
    }

    @Test func `is given up when it does not answer in time, or does not listen`() async throws {
        try await mirrored { mirror in
            let time = try EventLoop.shared.get().clock
            let hasty = FileMirror(mirror.address, time: time, timeout: .milliseconds(200))
            let start = ContinuousClock.now
            #expect(await Self.error(hasty, "never")?.code == .station.mirrorUnreachable)
            #expect(ContinuousClock.now - start < .seconds(5))
            let nobody = try #require(MirrorAddress("http://127.0.0.1:1"))
            #expect(
                await Self.error(FileMirror(nobody, time: time), "small")?.code == .station.mirrorUnreachable)
        }
    }
}
