import Bluetooth
import Glibc
import Simulation
import Testing

@testable import BlueZ

/// The management channels that a program opens before it gives up a capability.
@Suite(.timeLimit(.minutes(10))) struct `A pool of management channels` {
    /// A supply of `count` channels, with the kernel's ends of them.
    private static func supply(
        of count: Int,
        _ body: @escaping @Sendable (ManagementChannelPool, [Int32], VirtualTime) async throws -> Void
    ) async throws {
        try await VirtualTime.run { time in
            var pairs: [(near: Int32, far: Int32)] = []
            for _ in 0..<count {
                var ends: [Int32] = [-1, -1]
                let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
                try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
                pairs.append((ends[0], ends[1]))
            }
            let kernel = pairs.map(\.far)
            defer { for end in kernel { _ = close(end) } }
            try await body(ManagementChannelPool(pairs.map(\.near)), kernel, time)
        }
    }

    @Test func `has one for each adapter in use at the same time, and no more`() async throws {
        try await Self.supply(of: 2) { supply, kernel, time in
            let first = try #require(try supply.takeChannel(readiness: time))
            let second = try #require(try supply.takeChannel(readiness: time))
            #expect(try supply.takeChannel(readiness: time) == nil)
            try await first.send([1])
            try await second.send([2])
            let heard = kernel.map { end in
                var bytes: [UInt8] = [0, 0]
                return recv(end, &bytes, 2, 0) == 1 ? bytes[0] : 0
            }
            #expect(heard.sorted() == [1, 2])
        }
    }

    /// As in `doctor --tray`, which checks all adapters first, and `work --follow`, which opens them for each tray.
    @Test func `lends a returned channel again, without the packets left on it`() async throws {
        try await Self.supply(of: 1) { supply, kernel, time in
            let lent = try #require(try supply.takeChannel(readiness: time))
            #expect(try supply.takeChannel(readiness: time) == nil)
            lent.close()
            // Returned once, however often it is closed.
            lent.close()
            for _ in 0..<3 { #expect(Glibc.send(kernel[0], [9, 9], 2, 0) == 2) }
            let again = try #require(try supply.takeChannel(readiness: time))
            #expect(Glibc.send(kernel[0], [7], 1, 0) == 1)
            #expect(try await again.receive() == [7])
            try await again.send([5])
            var byte: UInt8 = 0
            #expect(recv(kernel[0], &byte, 1, 0) == 1 && byte == 5)
            #expect(try supply.takeChannel(readiness: time) == nil)
        }
    }

    @Test func `accepts nothing on a closed channel`() async throws {
        try await Self.supply(of: 1) { supply, _, time in
            let lent = try #require(try supply.takeChannel(readiness: time))
            lent.close()
            await #expect(throws: BearerError.self) { try await lent.send([1]) }
            await #expect(throws: BearerError.self) { try await lent.receive() }
        }
    }
}
