import Bluetooth
import Simulation
import Testing

@Suite(.timeLimit(.minutes(10))) struct `A notification queue` {
    @Test func `returns its values in order`() async throws {
        try await VirtualTime.run { time in
            let queue = NotificationQueue()
            for number in 0..<3 as Range<UInt8> { queue.put([number]) }
            for number in 0..<3 as Range<UInt8> {
                #expect(await arrival(queue, .zero, time.clock) == .value([number]))
            }
            #expect(await arrival(queue, .zero, time.clock) == .timedOut)
        }
    }

    @Test func `drops its oldest values beyond its capacity`() {
        let queue = NotificationQueue()
        for number in 0..<NotificationQueue.capacity + 3 { queue.put([UInt8(truncatingIfNeeded: number)]) }
        let values = queue.drain()
        #expect(values.count == NotificationQueue.capacity)
        #expect(values.first == [3] && values.last == [2])
        #expect(queue.drain().isEmpty)
    }

    @Test func `wakes its waiter at once`() async throws {
        try await VirtualTime.run { time in
            let queue = NotificationQueue()
            async let coming = queue.next(within: .seconds(10), by: time.clock)
            try await time.clock.sleep(for: .seconds(3))
            queue.put([7])
            #expect(try await coming == .value([7]))
            #expect(time.now == .seconds(3))
        }
    }

    /// Whichever of the two fires first.
    @Test(arguments: [false, true])
    func `keeps a value that comes exactly at the deadline`(_ putFirst: Bool) async throws {
        try await VirtualTime.run { time in
            let clock = time.clock
            let queue = NotificationQueue()
            let put = { @Sendable () async throws in
                try await clock.sleep(until: .seconds(10))
                queue.put([7])
            }
            let wait = { @Sendable () async throws in
                try await queue.next(within: .seconds(10), by: clock)
            }
            let outcome: NotificationQueue.WaitResult
            if putFirst {
                async let putting: Void = put()
                async let waiting = wait()
                outcome = try await waiting
                try await putting
            } else {
                async let waiting = wait()
                async let putting: Void = put()
                outcome = try await waiting
                try await putting
            }
            // Received in time or found by the next call: never lost.
            if outcome == .timedOut {
                #expect(await arrival(queue, .zero, clock) == .value([7]))
            } else {
                #expect(outcome == .value([7]))
            }
            #expect(time.now == .seconds(10))
        }
    }

    @Test func `returns what it has before it ends`() async throws {
        try await VirtualTime.run { time in
            let queue = NotificationQueue()
            queue.put([1])
            queue.end()
            #expect(await arrival(queue, .seconds(1), time.clock) == .value([1]))
            #expect(await arrival(queue, .seconds(1), time.clock) == .disconnected)
            #expect(time.now == .zero)
        }
    }

    @Test func `ends a wait when the link does`() async throws {
        try await VirtualTime.run { time in
            let queue = NotificationQueue()
            async let coming = queue.next(within: .seconds(10), by: time.clock)
            try await time.clock.sleep(for: .seconds(1))
            queue.end()
            #expect(try await coming == .disconnected)
            #expect(time.now == .seconds(1))
        }
    }

    @Test(arguments: [false, true])
    func `ends a wait that is cancelled, and keeps what comes later`(_ waitsAlready: Bool) async throws {
        try await VirtualTime.run { time in
            let clock = time.clock
            let queue = NotificationQueue()
            let task = Task(executorPreference: time) {
                await failure { () throws(GATTError) in try await queue.next(within: .seconds(9), by: clock)
                }
            }
            if waitsAlready { try await clock.sleep(for: .seconds(1)) }
            let start = time.now
            task.cancel()
            #expect(await task.value == .cancelled)
            #expect(time.now == start)
            queue.put([5])
            #expect(queue.drain() == [[5]])
        }
    }

    @Test func `serves one waiter after the other`() async throws {
        try await VirtualTime.run { time in
            let queue = NotificationQueue()
            for round in 0..<100 as Range<UInt8> {
                #expect(await arrival(queue, .seconds(1), time.clock) == .timedOut)
                async let coming = queue.next(within: .seconds(1), by: time.clock)
                try await time.clock.sleep(for: .milliseconds(1))
                queue.put([round])
                #expect(try await coming == .value([round]))
            }
        }
    }
}
