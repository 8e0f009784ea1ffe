import Glibc
import Testing

@testable import Bluetooth

@Suite struct `A child program` {
    private func status(of process: Int32) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status >> 8 & 0xFF
    }

    private func text(in descriptor: OwnedDescriptor) -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        _ = fcntl(descriptor.number, F_SETFL, O_NONBLOCK)
        let count = read(descriptor.number, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    @Test func `gets our descriptors under its own numbers, also if they are each other's`() throws {
        let (reading, writing) = try OwnedDescriptor.pipe()
        let (otherReading, otherWriting) = try OwnedDescriptor.pipe()
        let program = ChildProgram(
            "sh",
            [
                "sh", "-c",
                "echo one >/proc/self/fd/\(otherWriting.number); echo $A two >/proc/self/fd/\(writing.number); exit 3",
            ],
            environment: ["A": "b"],
            descriptors: [
                (STDIN_FILENO, nil), (otherWriting.number, writing.number),
                (writing.number, otherWriting.number),
            ])
        #expect(status(of: try program.start()) == 3)
        withExtendedLifetime((writing, otherWriting)) {}
        #expect(text(in: reading) == "one\n" && text(in: otherReading) == "b two\n")
    }

    @Test func `has nothing else of ours if it is isolated`() throws {
        let (reading, writing) = try OwnedDescriptor.pipe()
        defer { withExtendedLifetime((reading, writing)) {} }
        _ = fcntl(writing.number, F_SETFD, 0)
        let script = "test -e /proc/self/fd/\(writing.number)"
        for (isIsolated, expected) in [(false, 0), (true, 1)] as [(Bool, Int32)] {
            let program = ChildProgram(
                "/bin/sh", ["sh", "-c", script], descriptors: [(0, nil), (1, nil), (2, nil)],
                isIsolated: isIsolated)
            #expect(status(of: try program.start()) == expected)
        }
    }

    @Test func `that is missing is named by the system's error`() {
        let program = ChildProgram("/nowhere/at-all", ["at-all"], descriptors: [])
        #expect(throws: SocketError(call: "posix_spawn", errno: ENOENT)) { try program.start() }
    }
}
