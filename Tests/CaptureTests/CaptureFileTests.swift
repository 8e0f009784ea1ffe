import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Capture

@Suite(.timeLimit(.minutes(10))) struct `A capture file` {
    @Test(arguments: [
        ("/nowhere/capture", "open", ENOENT), ("/", "open", EISDIR), ("/dev/full", "write", ENOSPC),
    ])
    func `says at once that it cannot be written`(_ path: String, _ call: String, _ code: Int32) {
        #expect(throws: CaptureError(path: path, call: call, errno: code)) {
            try CaptureFile(creating: path) { _ in }
        }
    }

    /// A pipe takes 4096 bytes at least and then no more, like a disk that is full.
    @Test func `ends once, and quietly, when no more can be written`() throws {
        let path = FileManager.default.temporaryDirectory.path + "/capture-" + UUID().uuidString
        #expect(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let losses = Mutex<[CaptureError]>([])
        let file = try CaptureFile(creating: path) { loss in losses.withLock { $0.append(loss) } }
        for _ in 0..<1000 {
            file.add([.data(handle: 1, .firstFromHost, [UInt8](repeating: 0, count: 500))], .sent)
        }
        #expect(losses.withLock { $0 } == [CaptureError(path: path, call: "write", errno: EAGAIN)])
    }

    @Test func `does not wait for somebody to read a pipe`() throws {
        let path = FileManager.default.temporaryDirectory.path + "/capture-" + UUID().uuidString
        #expect(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        #expect(throws: CaptureError(path: path, call: "open", errno: ENXIO)) {
            try CaptureFile(creating: path) { _ in }
        }
    }

    @Test func `gives every link a handle of its own`() throws {
        let file = try CaptureFile(creating: "/dev/null") { _ in }
        let handles = (0..<0x0EFF).map { _ in file.takeHandle() }
        #expect(Set(handles).count == handles.count)
        #expect(handles.allSatisfy { (1...0x0EFF).contains($0) })
        #expect(file.takeHandle() == 1)
    }

    @Test func `tells the time of day`() throws {
        let seconds = Date.now.timeIntervalSince1970
        #expect(abs(Double(CaptureFile.wallClock()) / 1_000_000 - seconds) < 5)
    }
}
