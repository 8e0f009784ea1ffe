import Bluetooth
import Bytes
import Simulation
import TestSupport
import Testing

@testable import BlueZ

@Suite struct `The kernel's connection timeout` {
    /// The answer of Debian's 6.1.192, shortened.
    private static let defaults = [UInt8](hex: "1A00 02 2A00  1B00 02 A00F  1D00 02 2C01  1F00 01 00")

    private static func parse(_ bytes: [UInt8]) -> ConnectionTimeout? {
        var reader = ByteReader(bytes)
        return try? ConnectionTimeout(parsing: &reader)
    }

    @Test func `is one entry among the defaults`() {
        #expect(Self.parse(Self.defaults) == .usual)
        #expect(ConnectionTimeout.usual.bytes == [UInt8](hex: "1B00 02 A00F"))
        #expect(Self.parse(Self.defaults + [UInt8](hex: "2000 03 010203")) == .usual)
    }

    @Test func `is not taken from a damaged answer`() {
        let ends = [10, 15, 19]
        for count in Self.defaults.indices {
            let parsed = Self.parse(Array(Self.defaults.prefix(count)))
            #expect(parsed == (ends.contains(count) && count > 5 ? .usual : nil), "\(count) bytes")
        }
        for index in Self.defaults.indices {
            var flipped = Self.defaults
            flipped[index] ^= 0x80
            // Never a trap.
            _ = Self.parse(flipped)
        }
        #expect(Self.parse([UInt8](hex: "1B00 01 A0")) == nil)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A peer that advertises rarely` {
    private static let peer = "F0:0D:00:00:00:01"

    /// A kernel with these settings, which it changes as it is told.
    private static func kernel(_ timeout: Shared<UInt16>, refusing: [UInt16: UInt8] = [:])
        -> ScriptedKernel.Script
    {
        let ordinary = ScriptedKernel.controller(refusing: [0x14: 0x02].merging(refusing) { $1 })
        return { request in
            switch request.opcode {
            case 0x4B where refusing[0x4B] == nil:
                return [request.complete([UInt8](hex: "1B00 02") + Packet.word(timeout.change { $0 }))]
            case 0x4C where refusing[0x4C] == nil:
                timeout.change { $0 = UInt16(request.parameters[3]) | UInt16(request.parameters[4]) << 8 }
                return [request.complete()]
            default: return ordinary(request)
            }
        }
    }

    /// What happened in an attempt to connect.
    private struct Attempt: Equatable, Sendable {
        let limit: Duration
        let kernel: UInt16
    }

    /// Attempts that `answer` answers, with the peer and the limit; where it returns nil, nobody does.
    private static func connecting(
        _ answer: @escaping @Sendable (VirtualTime, DeviceAddress, Duration) -> PacketSocket?
    ) -> @Sendable (VirtualTime) -> KernelAdapter.Connecting {
        { time in
            { (_, _, peer, limit) async throws(ConnectFailure) in
                if let socket = answer(time, peer, limit) { return socket }
                do { try await time.clock.sleep(for: limit) } catch { throw .cancelled }
                throw .timedOut
            }
        }
    }

    /// The peer is heard at these times; nobody answers.
    private static func attempts(
        heardAt moments: [Int], timeout: Shared<UInt16>, refusing: [UInt16: UInt8] = [:],
        within limit: Duration = .seconds(10), isLimitChosen: Bool = false
    ) async throws -> (attempts: [Attempt], took: Duration) {
        let seen = Shared([Attempt]())
        let took = Shared(Duration.zero)
        let peer = try address(Self.peer)
        let silent = Self.connecting { _, _, limit in
            seen.change { $0.append(Attempt(limit: limit, kernel: timeout.change { $0 })) }
            return nil
        }
        try await withAdapter(kernel(timeout, refusing: refusing), connecting: silent) {
            adapter, kernel, time in
            let reports = try await adapter.advertisements()
            for moment in moments {
                try await time.clock.sleep(until: .milliseconds(moment))
                try await kernel.say(Packet.deviceFound)
            }
            try await time.clock.sleep(for: .milliseconds(10))
            let begin = time.now
            let linkRequest = {
                var linkRequest = LinkRequest()
                linkRequest.isLimitChosen = isLimitChosen
                return linkRequest
            }()
            await #expect(throws: AdapterError.noAnswer(peer)) {
                try await adapter.open(.attributes, to: peer, asking: linkRequest, within: limit)
            }
            took.change { $0 = time.now - begin }
            withExtendedLifetime(reports) {}
        }
        return (seen.change { $0 }, took.change { $0 })
    }

    @Test func `gets two of its intervals, while the kernel waits longer than that`() async throws {
        let timeout = Shared<UInt16>(4000)
        let seen = try await Self.attempts(heardAt: [2000, 12_240], timeout: timeout)
        #expect(seen.attempts == [Attempt(limit: .milliseconds(21_480), kernel: 22_020)])
        #expect(seen.took == .milliseconds(21_480))
        #expect(timeout.change { $0 } == 4000)
    }

    @Test func `gets the time that a user has chosen`() async throws {
        let timeout = Shared<UInt16>(4000)
        let seen = try await Self.attempts(heardAt: [2000, 12_240], timeout: timeout, isLimitChosen: true)
        #expect(seen.attempts == [Attempt(limit: .seconds(10), kernel: 10_020)])
        #expect(seen.took == .seconds(10))
    }

    @Test func `may be one that was heard only once`() async throws {
        let seen = try await Self.attempts(heardAt: [4500], timeout: Shared(4000))
        #expect(seen.attempts.map(\.limit) == [.milliseconds(21_500)])
        let short = try await Self.attempts(heardAt: [4500], timeout: Shared(4000), within: .seconds(3))
        #expect(short.attempts.map(\.limit) == [.seconds(3)])
    }

    @Test func `that was not heard gets the usual time first`() async throws {
        let seen = try await Self.attempts(heardAt: [], timeout: Shared(4000), within: .seconds(20))
        #expect(seen.attempts.map(\.limit) == [4000, 8000, 7400].map { .milliseconds($0) })
        #expect(seen.attempts.map(\.kernel) == [4000, 8020, 8020])
    }

    @Test(arguments: [[0x4B: 0x01], [0x4C: 0x14]] as [[UInt16: UInt8]])
    func `gets the usual time from a kernel that does not wait longer`(_ refusing: [UInt16: UInt8])
        async throws
    {
        let timeout = Shared<UInt16>(4000)
        let seen = try await Self.attempts(heardAt: [2000, 12_240], timeout: timeout, refusing: refusing)
        #expect(seen.attempts.count > 3)
        #expect(seen.attempts.allSatisfy { $0.limit <= .seconds(4) && $0.kernel == 4000 })
        #expect(seen.took == .milliseconds(21_480))
    }

    @Test func `does not change a kernel that waits long enough`() async throws {
        let timeout = Shared<UInt16>(60_000)
        let seen = try await Self.attempts(heardAt: [2000, 12_240], timeout: timeout)
        #expect(seen.attempts.map(\.kernel) == [60_000])
        #expect(timeout.change { $0 } == 60_000)
    }

    @Test(arguments: [[2000, 12_240], [2000, 3000]])
    func `leaves the kernel's default, even after a run that was killed`(_ moments: [Int]) async throws {
        let timeout = Shared<UInt16>(22_020)
        _ = try await Self.attempts(heardAt: moments, timeout: timeout)
        #expect(timeout.change { $0 } == 4000)
    }

    /// A kernel that was told to wait does so after the attempt has ended, and connects to nobody else.
    @Test(arguments: [[2000, 3000], [2000, 6200]])
    func `is not taken for one because the adapter was busy`(_ moments: [Int]) async throws {
        let timeout = Shared<UInt16>(4000)
        let seen = try await Self.attempts(heardAt: moments, timeout: timeout, within: .seconds(3))
        #expect(seen.attempts == [Attempt(limit: .seconds(3), kernel: 4000)])
    }

    @Test func `leaves the kernel as it was when the attempt is cancelled`() async throws {
        let timeout = Shared<UInt16>(4000)
        let peer = try address(Self.peer)
        let endless: @Sendable (VirtualTime) -> KernelAdapter.Connecting = { time in
            { (_, _, _, _) async throws(ConnectFailure) in
                try? await time.clock.sleep(for: .seconds(1000))
                throw .cancelled
            }
        }
        try await withAdapter(Self.kernel(timeout), connecting: endless) { adapter, kernel, time in
            let reports = try await adapter.advertisements()
            for moment in [2000, 12_240] {
                try await time.clock.sleep(until: .milliseconds(moment))
                try await kernel.say(Packet.deviceFound)
            }
            let opening = Task(executorPreference: time) {
                try await adapter.open(.attributes, to: peer, asking: LinkRequest(), within: .seconds(10))
            }
            try await time.clock.sleep(for: .seconds(5))
            #expect(timeout.change { $0 } == 22_020)
            opening.cancel()
            _ = await opening.result
            #expect(timeout.change { $0 } == 4000)
            withExtendedLifetime(reports) {}
        }
    }

    /// It was heard only once: it may be one that is hardly in range.
    @Test func `keeps others waiting only if two reports confirm it`() async throws {
        let peer = try address(Self.peer)
        let other = try address("F0:0D:00:00:00:02")
        for (moments, wait) in [([3900], 1500), ([2000, 12_240], 21_480)] {
            let far = Shared([PacketSocket]())
            let silent = Self.connecting { time, asked, _ in
                guard asked != peer, let (near, end) = try? PacketSocket.pair(readiness: time) else {
                    return nil
                }
                far.change { $0.append(end) }
                return near
            }
            try await withAdapter(Self.kernel(Shared(4000)), connecting: silent) { adapter, kernel, time in
                let reports = try await adapter.advertisements()
                for moment in moments {
                    try await time.clock.sleep(until: .milliseconds(moment))
                    try await kernel.say(Packet.deviceFound)
                }
                try await time.clock.sleep(for: .milliseconds(10))
                let begin = time.now
                let absent = Task(executorPreference: time) {
                    try await adapter.open(.attributes, to: peer, asking: LinkRequest(), within: .seconds(10))
                }
                try await time.clock.sleep(for: .milliseconds(100))
                try await adapter.open(.attributes, to: other, asking: LinkRequest(), within: .seconds(60))
                    .close()
                #expect(time.now - begin == .milliseconds(wait))
                absent.cancel()
                _ = await absent.result
                withExtendedLifetime(reports) {}
            }
        }
    }
}
