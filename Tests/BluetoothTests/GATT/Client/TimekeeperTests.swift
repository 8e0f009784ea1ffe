import Bluetooth
import Simulation
import Testing

private struct LinkFault: Error, Equatable {}

@Suite(.timeLimit(.minutes(10))) struct `A time limit` {
    @Test func `passes on a value that comes in time`() async throws {
        try await VirtualTime.run { time in
            let clock = time.clock
            let value = try await clock.within(.seconds(5)) {
                try await clock.sleep(for: .seconds(4))
                return 7
            }
            #expect(value == 7)
            #expect(time.now == .seconds(4))
        }
    }

    @Test(arguments: [0, 5])
    func `ends what takes longer`(_ seconds: Int) async throws {
        try await VirtualTime.run { time in
            let clock = time.clock
            let value = try await clock.within(.seconds(seconds)) {
                try await clock.sleep(for: .seconds(6))
                return 7
            }
            #expect(value == nil)
            #expect(time.now == .seconds(seconds))
        }
    }

    @Test func `passes an error on`() async throws {
        try await VirtualTime.run { time in
            let clock = time.clock
            await #expect(throws: LinkFault()) {
                try await clock.within(.seconds(5)) { () async throws -> Int in throw LinkFault() }
            }
            #expect(time.now == .zero)
        }
    }

    @Test func `ends at once when it is cancelled`() async throws {
        try await VirtualTime.run { time in
            let clock = time.clock
            let task = Task(executorPreference: time) {
                try await clock.within(.seconds(5)) { try await clock.sleep(for: .seconds(9)) }
            }
            try await clock.sleep(for: .seconds(1))
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(time.now == .seconds(1))
        }
    }

    @Test(arguments: [(3, 5), (5, 3), (4, 4)])
    func `inside another ends with the shorter`(_ inner: Int, _ outer: Int) async throws {
        try await VirtualTime.run { time in
            let clock = time.clock
            let value = try await clock.within(.seconds(outer)) {
                try await clock.within(.seconds(inner)) {
                    try await clock.sleep(for: .seconds(9))
                    return 7
                }
            }
            #expect(value == nil || value == .some(nil))
            #expect((value != nil) == (inner < outer) || inner == outer)
            #expect(time.now == .seconds(min(inner, outer)))
        }
    }

    @Test func `waits until its body has ended`() async throws {
        try await VirtualTime.run { time in
            let clock = time.clock
            let value = try await clock.within(.seconds(1)) {
                // Ignores cancellation for a while.
                await Task(executorPreference: time) { try? await clock.sleep(for: .seconds(3)) }.value
                return 7
            }
            #expect(value == nil)
            #expect(time.now == .seconds(3))
        }
    }
}
