import PacketSockets
import Testing
import Timing
import VirtualTime

@Suite(.timeLimit(.minutes(1))) struct `Virtual time` {
    @Test func `passes an hour without waiting for it`() async throws {
        try await VirtualTime.run { time in
            try await time.keeper.sleep(for: .seconds(3600))
            #expect(time.now == .seconds(3600))
        }
    }

    @Test func `fires deadlines in order, whoever asked first`() async throws {
        try await VirtualTime.run { time in
            let keeper = time.keeper
            let order = await withTaskGroup(of: Int.self) { group in
                for delay in [30, 10, 20] {
                    group.addTask {
                        try? await keeper.sleep(for: .milliseconds(delay))
                        return delay
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(order == [10, 20, 30])
        }
    }

    @Test func `stands still while a packet is under way through the kernel`() async throws {
        try await VirtualTime.run { time in
            let (near, far) = try PacketSocket.pair(readiness: time)
            let keeper = time.keeper
            let answer = try await keeper.within(.milliseconds(1)) {
                async let echo: Void = {
                    for _ in 0..<1000 { try await far.send(try await far.receive() ?? []) }
                }()
                for number in 0..<1000 {
                    try await near.send([UInt8(number & 0xFF)])
                    _ = try await near.receive()
                }
                try await echo
                return true
            }
            #expect(answer == true)
            #expect(time.now == .zero)
        }
    }

    @Test func `ends a wait for an answer that never comes at its deadline`() async throws {
        try await VirtualTime.run { time in
            let (near, far) = try PacketSocket.pair(readiness: time)
            let keeper = time.keeper
            let answer = try await keeper.within(.seconds(30)) { try? await near.receive() }
            #expect(answer == nil || answer == .some(nil))
            #expect(time.now == .seconds(30))
            far.close()
        }
    }
}
