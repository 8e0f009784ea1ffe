import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Bluetooth

@Suite(.timeLimit(.minutes(10))) struct `A capture file` {
    @Test func `reports at once that it cannot be written`() {
        #expect(throws: CaptureError(path: "/dev/full", call: "write", errno: ENOSPC)) {
            try CaptureFile(creating: "/dev/full") { _ in }
        }
    }

    private static func temporary() -> String {
        FileManager.default.temporaryDirectory.path + "/capture-" + UUID().uuidString
    }

    @Test func `leaves an existing file unchanged until the first packet`() throws {
        let path = Self.temporary()
        defer { unlink(path) }
        let old = [UInt8](repeating: 7, count: 1000)
        try Data(old).write(to: URL(filePath: path))
        let file = CaptureFile(path: path, descriptor: open(path, O_RDWR)) { _ in }
        try file.begin()
        #expect(try Samples.file(at: path) == old)
        file.add([.data(handle: 1, .firstFromHost, [1, 2, 3])], .sent)
        let bytes = try Samples.file(at: path)
        #expect(bytes.starts(with: BTSnoopFile.header) && bytes.count < old.count)
    }

    @Test func `is removed if it was new and never begun`() throws {
        let path = Self.temporary()
        for isBegun in [false, true] {
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
            #expect(descriptor >= 0)
            do {
                let file = CaptureFile(path: path, descriptor: descriptor, isNew: true) { _ in }
                if isBegun { try file.begin() }
            }
            #expect((access(path, F_OK) == 0) == isBegun)
        }
        unlink(path)
    }

    /// A pipe accepts at least 4096 bytes and then no more, like a full disk.
    @Test func `ends once, without an error, when no more can be written`() throws {
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

    @Test func `gives every link a handle of its own`() throws {
        let file = try CaptureFile(creating: "/dev/null") { _ in }
        let handles = (0..<0x0EFF).map { _ in file.takeHandle() }
        #expect(Set(handles).count == handles.count)
        #expect(handles.allSatisfy { (1...0x0EFF).contains($0) })
        #expect(file.takeHandle() == 1)
    }

    @Test func `has the time of day`() throws {
        let seconds = Date.now.timeIntervalSince1970
        #expect(abs(Double(CaptureFile.wallClock()) / 1_000_000 - seconds) < 5)
    }
}

extension CaptureFile {
    /// A started recording at `path`, which replaces an existing file.
    convenience init(
        creating path: String, now: @escaping @Sendable () -> UInt64 = CaptureFile.wallClock,
        onLoss: @escaping @Sendable (CaptureError) -> Void
    ) throws(CaptureError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0o644)
        self.init(path: path, descriptor: descriptor, now: now, onLoss: onLoss)
        try begin()
    }
}
