import Glibc
import Simulation
import Synchronization
import Testing

@testable import Bluetooth

@Suite(.timeLimit(.minutes(10))) struct `A name that one program holds at a time` {
    static func name() -> String { NamedLocks.unshared().prefix + "name" }

    @Test func `names its owner to others that request it`() throws {
        let name = Self.name()
        let lock = try #require(try NamedLock.take(name))
        let owner = #expect(throws: NamedLock.Owner.self) { try NamedLock.take(name) }
        #expect(owner?.process == getpid())
        #expect(owner?.program?.isEmpty == false)
        #expect("\(try #require(owner))".hasSuffix("(process \(getpid()))"))
        withExtendedLifetime(lock) {}
    }

    @Test func `is free when its owner has released it`() throws {
        let name = Self.name()
        var lock = try NamedLock.take(name)
        #expect(lock != nil)
        lock = nil
        #expect(try NamedLock.take(name) != nil)
    }

    /// As between fork and exec, when another task in this program starts a program.
    @Test func `has no owner if it was released and a copy of its descriptor is left`() async throws {
        try await VirtualTime.run { time in
            let name = Self.name()
            var lock = try NamedLock.take(name)
            let copy = dup(try #require(lock).socket.number)
            lock = nil
            await #expect(throws: NamedLock.Owner(process: nil, program: nil)) {
                try await NamedLock.take(name, within: .seconds(30), by: time.clock, readiness: time)
            }
            #expect(time.now == .seconds(30))
            close(copy)
            #expect(try NamedLock.take(name) != nil)
        }
    }

    /// Other tests start programs, and each child has a copy too until it executes. So the name may become free later
    /// than with the 30th pause, and the pauses after it are real ones, as in the program.
    @Test func `is acquired as soon as that copy is gone`() throws {
        let name = Self.name()
        var lock = try NamedLock.take(name)
        let copy = dup(try #require(lock).socket.number)
        lock = nil
        var pauses = 0
        let next = try NamedLock.take(name) {
            pauses += 1
            if pauses == 30 { close(copy) }
            if pauses >= 30 { NamedLock.pauseBetweenAttempts() }
        }
        #expect(next != nil)
        #expect(pauses >= 30)
    }

    @Test func `is given up if that copy stays`() throws {
        let name = Self.name()
        var lock = try NamedLock.take(name)
        let copy = dup(try #require(lock).socket.number)
        defer { close(copy) }
        lock = nil
        var pauses = 0
        #expect(throws: NamedLock.Owner(process: nil, program: nil)) {
            try NamedLock.take(name) { pauses += 1 }
        }
        #expect(pauses == 1_000)
    }

    @Test func `does not collide with another long name`() throws {
        let long = Self.name() + String(repeating: "x", count: 60)
        let first = try NamedLock.take(long)
        let second = try NamedLock.take(Self.name())
        #expect(first != nil && second != nil)
    }

    @Test func `goes to the waiter when it becomes free`() async throws {
        try await VirtualTime.run { time in
            let name = Self.name()
            let first = Mutex(try NamedLock.take(name))
            let waiting = Task(executorPreference: time) {
                let lock = try await NamedLock.take(
                    name, within: .seconds(3_600), by: time.clock, readiness: time)
                return (lock != nil, time.now)
            }
            try await time.clock.sleep(for: .seconds(7))
            first.withLock { $0 = nil }
            let (isTaken, moment) = try await waiting.value
            #expect(isTaken)
            // Later than that only if a child of another test holds a copy, until it executes.
            #expect((.seconds(7)..<(.seconds(3_600))).contains(moment))
        }
    }

    @Test func `is awaited no longer than requested`() async throws {
        try await VirtualTime.run { time in
            let name = Self.name()
            let first = try NamedLock.take(name)
            await #expect(throws: NamedLock.Owner.self) {
                try await NamedLock.take(name, within: .seconds(30), by: time.clock, readiness: time)
            }
            #expect(time.now == .seconds(30))
            withExtendedLifetime(first) {}
        }
    }

    @Test func `is no longer awaited by a cancelled task`() async throws {
        try await VirtualTime.run { time in
            let name = Self.name()
            let first = try NamedLock.take(name)
            let waiting = Task(executorPreference: time) {
                try await NamedLock.take(name, within: .seconds(30), by: time.clock, readiness: time)
            }
            try await time.clock.sleep(for: .seconds(1))
            waiting.cancel()
            #expect(try await waiting.value == nil)
            #expect(time.now == .seconds(1))
            withExtendedLifetime(first) {}
        }
    }

    @Test func `is shared inside a program, and kept until the last share`() throws {
        let locks = NamedLocks.unshared()
        let others = NamedLocks(prefix: locks.prefix)
        var shares = [try locks.share(in: "beacon"), try locks.share(in: "beacon")]
        #expect(throws: NamedLock.Owner.self) { try others.share(in: "beacon") }
        shares.removeLast()
        #expect(throws: NamedLock.Owner.self) { try others.share(in: "beacon") }
        shares.removeLast()
        let share = try others.share(in: "beacon")
        #expect(throws: NamedLock.Owner.self) { try locks.share(in: "beacon") }
        withExtendedLifetime(share) {}
    }
}
