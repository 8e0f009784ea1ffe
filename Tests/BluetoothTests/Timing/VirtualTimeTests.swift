import Bluetooth
import Glibc
import Simulation
import Testing

/// A separate function, since asynchronous code may not call it.
private func ownThread() -> pthread_t { pthread_self() }

@Suite(.timeLimit(.minutes(10))) struct `Virtual time` {
    @Test func `passes an hour without waiting for it`() async throws {
        try await VirtualTime.run { time in
            try await time.clock.sleep(for: .seconds(3600))
            #expect(time.now == .seconds(3600))
        }
    }

    /// A task started elsewhere would still have work while virtual time finds none.
    @Test func `runs its body on its own thread from the first line`() async throws {
        try await VirtualTime.run { time in
            let first = ownThread()
            try await time.clock.sleep(for: .seconds(1))
            #expect(pthread_equal(first, ownThread()) != 0)
        }
    }

    @Test func `fires deadlines in order, whichever was requested first`() async throws {
        try await VirtualTime.run { time in
            let clock = time.clock
            let order = await withTaskGroup(of: Int.self) { group in
                for delay in [30, 10, 20] {
                    group.addTask {
                        try? await clock.sleep(for: .milliseconds(delay))
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
            let clock = time.clock
            let answer = try await clock.within(.milliseconds(1)) {
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
            let clock = time.clock
            let answer = try await clock.within(.seconds(30)) { try? await near.receive() }
            #expect(answer == nil || answer == .some(nil))
            #expect(time.now == .seconds(30))
            far.close()
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `Virtual time's waits` {
    @Test func `end in order of request if deadlines are equal`() async throws {
        try await VirtualTime.run { time in
            let clock = time.clock
            let order = await withTaskGroup(of: Int.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        try? await clock.sleep(until: .seconds(1))
                        return number
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(order == Array(0..<50))
            #expect(time.now == .seconds(1))
        }
    }

    @Test func `do not turn time back for a deadline in the past`() async throws {
        try await VirtualTime.run { time in
            let clock = time.clock
            try await clock.sleep(for: .seconds(5))
            try await clock.sleep(until: .seconds(1))
            try await clock.sleep(for: .seconds(-3))
            #expect(time.now == .seconds(5))
        }
    }

    @Test(arguments: [false, true])
    func `end when they are cancelled, and time stands still`(_ waitsAlready: Bool) async throws {
        try await VirtualTime.run { time in
            let clock = time.clock
            let task = Task(executorPreference: time) { try await clock.sleep(for: .seconds(9)) }
            if waitsAlready { try await clock.sleep(for: .seconds(1)) }
            let start = time.now
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(time.now == start)
            // The cancelled deadline is gone too.
            try await clock.sleep(for: .seconds(20))
            #expect(time.now == start + .seconds(20))
        }
    }

    @Test func `end for a task of another executor too`() async throws {
        try await VirtualTime.run { time in
            let clock = time.clock
            await Task.detached { try? await clock.sleep(for: .seconds(3)) }.value
            #expect(time.now == .seconds(3))
        }
    }

    @Test func `for a packet end when they are cancelled, and the next reader gets it`() async throws {
        try await VirtualTime.run { time in
            let (near, far) = try PacketSocket.pair(readiness: time)
            let task = Task(executorPreference: time) { try await near.receive() }
            try await time.clock.sleep(for: .seconds(1))
            task.cancel()
            await #expect(throws: BearerError.cancelled) { try await task.value }
            async let packet = near.receive()
            try await far.send([7])
            #expect(try await packet == [7])
        }
    }

    @Test func `of two readers of one socket end with a packet each`() async throws {
        try await VirtualTime.run { time in
            let (near, far) = try PacketSocket.pair(readiness: time)
            async let first = near.receive()
            async let second = near.receive()
            // Two waiting readers must not keep each other busy.
            try await time.clock.sleep(for: .seconds(1))
            try await far.send([1])
            try await time.clock.sleep(for: .seconds(1))
            try await far.send([2])
            let packets = try await [first, second]
            #expect(Set(packets) == [[1], [2]])
        }
    }

    @Test func `of one reader end with its packet after the other is cancelled`() async throws {
        try await VirtualTime.run { time in
            let (near, far) = try PacketSocket.pair(readiness: time)
            let lost = Task(executorPreference: time) { try await near.receive() }
            async let kept = near.receive()
            try await time.clock.sleep(for: .seconds(1))
            lost.cancel()
            await #expect(throws: BearerError.cancelled) { try await lost.value }
            try await time.clock.sleep(for: .seconds(1))
            try await far.send([1])
            #expect(try await kept == [1])
        }
    }

    @Test func `for space in a full queue end when the reader takes a packet`() async throws {
        try await VirtualTime.run { time in
            let (near, far) = try PacketSocket.pair(readiness: time)
            let sender = Task(executorPreference: time) {
                for number in 0..<200 {
                    try await near.send([UInt8(number)] + [UInt8](repeating: 0, count: 200))
                }
            }
            try await time.clock.sleep(for: .seconds(1))
            for number in 0..<200 {
                let packet = try await far.receive()
                #expect(packet?.first == UInt8(number))
            }
            try await sender.value
            #expect(time.now == .seconds(1))
        }
    }

    @Test func `for space in a full queue end when they are cancelled`() async throws {
        try await VirtualTime.run { time in
            let (near, far) = try PacketSocket.pair(readiness: time)
            let sender = Task(executorPreference: time) {
                while true { try await near.send([UInt8](repeating: 0, count: 200)) }
            }
            try await time.clock.sleep(for: .seconds(1))
            sender.cancel()
            await #expect(throws: BearerError.cancelled) { try await sender.value }
            far.close()
        }
    }

    @Test(arguments: [false, true])
    func `for space in a full queue end when either end closes`(_ closesOwn: Bool) async throws {
        try await VirtualTime.run { time in
            let (near, far) = try PacketSocket.pair(readiness: time)
            let sender = Task(executorPreference: time) {
                while true { try await near.send([UInt8](repeating: 0, count: 200)) }
            }
            try await time.clock.sleep(for: .seconds(1))
            (closesOwn ? near : far).close()
            await #expect(throws: BearerError.closed) { try await sender.value }
        }
    }

    @Test func `for reading and for writing do not disturb each other`() async throws {
        try await VirtualTime.run { time in
            let (near, far) = try PacketSocket.pair(readiness: time)
            let sender = Task(executorPreference: time) {
                while true { try await near.send([UInt8](repeating: 0, count: 200)) }
            }
            async let packet = near.receive()
            try await time.clock.sleep(for: .seconds(1))
            try await far.send([5])
            #expect(try await packet == [5])
            near.close()
            await #expect(throws: BearerError.closed) { try await sender.value }
        }
    }
}
