import Bluetooth
import Simulation
import Testing

@Suite(.timeLimit(.minutes(10))) struct `A one-shot value` {
    @Test func `keeps a value that comes before its waiter`() async {
        let meeting = OneShot<Int>()
        meeting.resolve(7)
        #expect(await meeting.value() == 7)
        #expect(await meeting.value() == nil)
    }

    @Test func `wakes its waiter with the value, and accepts no second one`() async throws {
        try await VirtualTime.run { time in
            let meeting = OneShot<Int>()
            async let value = meeting.value()
            try await time.clock.sleep(for: .seconds(1))
            meeting.resolve(7)
            meeting.resolve(8)
            #expect(await value == 7)
            #expect(await meeting.value() == nil)
        }
    }

    @Test(arguments: [7, nil] as [Int?]) func `keeps the first of two values`(_ first: Int?) async {
        let meeting = OneShot<Int>()
        meeting.resolve(first)
        meeting.resolve(8)
        #expect(await meeting.value() == first)
    }

    @Test func `does not keep a second waiter waiting`() async throws {
        try await VirtualTime.run { time in
            let meeting = OneShot<Int>()
            async let value = meeting.value()
            try await time.clock.sleep(for: .seconds(1))
            #expect(await meeting.value() == nil)
            meeting.resolve(7)
            #expect(await value == 7)
        }
    }

    @Test(arguments: [false, true])
    func `releases a waiter that is cancelled`(_ waitsAlready: Bool) async throws {
        try await VirtualTime.run { time in
            let meeting = OneShot<Int>()
            let waiter = Task(executorPreference: time) { await meeting.value() }
            if waitsAlready { try await time.clock.sleep(for: .seconds(1)) }
            waiter.cancel()
            #expect(await waiter.value == nil)
            meeting.resolve(7)
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `FIFOLock locks` {
    @Test func `are acquired in order of request, one at a time`() async throws {
        try await VirtualTime.run { time in
            let turns = FIFOLock()
            let clock = time.clock
            let inside = Watched((count: 0, order: [Int]()))
            try await withThrowingTaskGroup { group in
                for number in 0..<20 {
                    group.addTask {
                        try await turns.acquire()
                        inside.change {
                            $0.count += 1
                            $0.order.append(number)
                            #expect($0.count == 1)
                        }
                        try await clock.sleep(for: .seconds(1))
                        inside.change { $0.count -= 1 }
                        turns.release()
                    }
                }
                try await group.waitForAll()
            }
            #expect(inside.value.order == Array(0..<20))
            #expect(time.now == .seconds(20))
        }
    }

    @Test func `go to the highest priority first, and tell their holder that others wait`() async throws {
        try await VirtualTime.run { time in
            let turns = FIFOLock()
            let clock = time.clock
            let order = Watched([Int]())
            try await turns.acquire()
            async let contended: Duration = {
                await turns.contention()
                return clock.now
            }()
            try await withThrowingTaskGroup { group in
                for priority in [0, 0, 2, 1, 2] {
                    try await clock.sleep(for: .seconds(1))
                    group.addTask {
                        try await turns.acquire(priority: priority)
                        order.change { $0.append(priority) }
                        turns.release()
                    }
                }
                try await clock.sleep(for: .seconds(1))
                turns.release()
                try await group.waitForAll()
            }
            #expect(order.value == [2, 2, 1, 0, 0])
            #expect(await contended == .seconds(1))
        }
    }

    @Test func `are free again when the last holder is done`() async throws {
        let turns = FIFOLock()
        for _ in 0..<3 {
            try await turns.acquire()
            turns.release()
        }
    }

    @Test func `are not awaited by a cancelled task`() async throws {
        try await VirtualTime.run { time in
            let turns = FIFOLock()
            try await turns.acquire()
            let clock = time.clock
            let waiting: Void? = try? await clock.within(.seconds(1)) { try await turns.acquire() }
            #expect(waiting == nil)
            #expect(time.now == .seconds(1))
            turns.release()
            try await turns.acquire()
        }
    }

    @Test func `are not handed to a task that was cancelled just before`() async throws {
        try await VirtualTime.run { time in
            let turns = FIFOLock()
            try await turns.acquire()
            let waiter = Task(executorPreference: time) { try await turns.acquire() }
            try await time.clock.sleep(for: .seconds(1))
            // The waiter has not run since, so it still stands in the queue.
            waiter.cancel()
            turns.release()
            let taken: Void? = try await time.clock.within(.seconds(1)) { try await turns.acquire() }
            #expect(taken != nil)
            await #expect(throws: CancellationError.self) { try await waiter.value }
        }
    }

    @Test func `have no contention by a task that was cancelled`() async throws {
        try await VirtualTime.run { time in
            let turns = FIFOLock()
            let clock = time.clock
            try await turns.acquire()
            let waiting: Void? = try? await clock.within(.seconds(1)) { try await turns.acquire() }
            #expect(waiting == nil)
            async let contended: Duration = {
                await turns.contention()
                return clock.now
            }()
            try await clock.sleep(for: .seconds(1))
            let next = Task(executorPreference: time) { try await turns.acquire() }
            #expect(await contended == .seconds(2))
            turns.release()
            try await next.value
        }
    }
}
