import Bluetooth
import Bytes
import Simulation
import Synchronization
import TestSupport
import Testing

@testable import BlueZ

@Suite(.timeLimit(.minutes(10))) struct `A management channel` {
    @Test func `returns what the kernel returns`() async throws {
        try await withChannel({ [$0.complete([2, 0, 0, 0, 1, 0])] }) { channel, kernel, _ in
            let controllers = try await channel.controllers()
            #expect(controllers == [0, 1])
            #expect(kernel.requests == [Request([0x03, 0, 0xFF, 0xFF, 0, 0])])
        }
    }

    @Test func `names the refusal`() async throws {
        try await withChannel({ [$0.refused(0x14)] }) { channel, _, _ in
            let error = await #expect(throws: ManagementError.self) {
                try await channel.perform(.startDiscovery, on: 0)
            }
            #expect(error == .refused(.permissionDenied, command: "Start Discovery"))
            #expect(
                error?.description == "the kernel answers 'permission denied' to Start Discovery")
        }
    }

    @Test func `sends nothing to a controller that has taken the number of a removed one`() async throws {
        try await withChannel { channel, kernel, time in
            let removals = channel.removals(of: 0)
            try await channel.perform(.startDiscovery, on: 0, during: removals)
            try await kernel.say(Packet.indexRemoved)
            try await time.clock.sleep(for: .seconds(1))
            let gone = ManagementError.refused(.invalidIndex, command: "Start Discovery")
            await #expect(throws: gone) {
                try await channel.perform(.startDiscovery, on: 0, during: removals)
            }
            #expect(kernel.requests.count == 1)
            // Another number is another controller.
            try await channel.perform(.startDiscovery, on: 1, during: channel.removals(of: 1))
            try await channel.perform(.startDiscovery, on: 0, during: channel.removals(of: 0))
        }
    }

    /// The event waits unread when the command is sent.
    @Test(arguments: [false, true])
    func `detects that a command has reached another controller`(_ isRefused: Bool) async throws {
        let answers: ScriptedKernel.Script = {
            [Packet.indexRemoved, Packet.event(0x04, 0, []), isRefused ? $0.refused(0x0A) : $0.complete()]
        }
        try await withChannel(answers) { channel, _, _ in
            let error = await #expect(throws: ManagementError.self) {
                try await channel.perform(.startDiscovery, on: 0, during: 0)
            }
            let command = "Start Discovery"
            #expect(
                error
                    == (isRefused ? .refused(.invalidIndex, command: command) : .strayed(command: command)))
        }
    }

    @Test func `accepts a refusal that comes as a completion`() async throws {
        let answer = Packet.event(0x01, 0, [0x23, 0, 0x0A, 6])
        try await withChannel({ _ in [answer] }) { channel, _, _ in
            await #expect(throws: ManagementError.refused(.busy, command: "Start Discovery")) {
                try await channel.perform(.startDiscovery, on: 0)
            }
        }
    }

    @Test(arguments: [([4, 0], 0), ([3, 0], 1), ([3, 0], 0xFFFF)] as [([UInt8], UInt16)])
    func `ignores the answer to another command or of another controller`(
        _ opcode: [UInt8], _ index: UInt16
    ) async throws {
        let stranger = Packet.event(0x01, index, opcode + [0, 9, 9])
        let own = Packet.event(0x01, 0, [3, 0, 0, 7])
        try await withChannel({ _ in [stranger, own] }) { channel, _, _ in
            var reader = try await channel.perform(.readIndexList, on: 0)
            #expect(Array(reader.remainder()) == [7])
        }
    }

    @Test func `waits ten seconds for an answer, and stays usable`() async throws {
        let script: ScriptedKernel.Script = { $0.opcode == 0x05 ? [] : [$0.complete()] }
        try await withChannel(script) { channel, _, time in
            await #expect(throws: ManagementError.noAnswer(command: "Set Powered")) {
                try await channel.perform(.setPowered(true), on: 0)
            }
            #expect(time.now == .seconds(10))
            try await channel.perform(.setLowEnergy(true), on: 0)
            #expect(time.now == .seconds(10))
        }
    }

    @Test(arguments: [.startDiscovery, .stopDiscovery] as [ManagementCommand])
    func `waits longer for what the kernel does only when its controller has made a link`(
        _ command: ManagementCommand
    ) async throws {
        try await withChannel(ScriptedKernel.mute) { channel, _, time in
            await #expect(throws: ManagementError.noAnswer(command: command.name)) {
                try await channel.perform(command, on: 0)
            }
            #expect(time.now > .seconds(10) + AdvertisingIntervals.longestConnectionTime)
        }
    }

    /// The answer to the first command is late; it must not be taken for that to the second.
    @Test func `waits for a late answer before it sends a command of the same kind`() async throws {
        try await withChannel(ScriptedKernel.mute) { channel, kernel, time in
            await #expect(throws: ManagementError.noAnswer(command: "Set Powered")) {
                try await channel.perform(.setPowered(true), on: 0)
            }
            async let second = channel.perform(.setPowered(false), on: 0)
            try await time.clock.sleep(for: .seconds(2))
            #expect(kernel.opcodes == [0x05])
            try await kernel.say(Packet.event(0x01, 0, [5, 0, 0, 1]))
            try await time.clock.sleep(for: .seconds(2))
            #expect(kernel.moments(of: 0x05) == [.zero, .seconds(12)])
            try await kernel.say(Packet.event(0x01, 0, [5, 0, 0, 2]))
            var reader = try await second
            #expect(Array(reader.remainder()) == [2])
        }
    }

    @Test func `waits for the answer to a cancelled command, of that controller alone`() async throws {
        try await withChannel(ScriptedKernel.mute) { channel, kernel, time in
            _ = try await time.clock.within(.seconds(1)) {
                _ = try? await channel.perform(.startDiscovery, on: 0)
            }
            let other = Task(executorPreference: time) { try await channel.perform(.startDiscovery, on: 1) }
            try await time.clock.sleep(for: .seconds(1))
            #expect(kernel.requests.map(\.index) == [0, 1])
            try await kernel.say(Packet.event(0x01, 1, [0x23, 0, 0, 6]))
            _ = try await other.value
            async let again = channel.perform(.startDiscovery, on: 0)
            try await time.clock.sleep(for: .seconds(1))
            #expect(kernel.requests.count == 2)
            try await kernel.say(Packet.event(0x02, 0, [0x23, 0, 0x0A]))
            try await time.clock.sleep(for: .seconds(1))
            try await kernel.say(Packet.event(0x01, 0, [0x23, 0, 0, 6]))
            _ = try await again
            #expect(kernel.requests.count == 3)
        }
    }

    /// The cancellation comes first, and the answer before the cancelled command has noticed.
    @Test func `expects no further answer when one arrived together with a cancellation`() async throws {
        try await VirtualTime.run { time in
            let bearer = HandFedBearer()
            let channel = ManagementChannel(bearer: bearer, time: time.clock)
            async let _: Void = channel.run()
            let command = Task(executorPreference: time) {
                _ = try? await channel.perform(.setPowered(true), on: 0)
            }
            while bearer.sent == 0 { await Task.yield() }
            for _ in 0..<20 { await Task.yield() }
            command.cancel()
            bearer.feed([0x01, 0, 0, 0, 3, 0, 0x05, 0, 0])
            await command.value
            bearer.answers = true
            try await channel.perform(.setPowered(true), on: 0)
            #expect(time.now == .zero)
            bearer.close()
        }
    }

    @Test func `gives up on an answer that is twenty seconds late`() async throws {
        let script: ScriptedKernel.Script = { $0.parameters == [1] ? [] : [$0.complete()] }
        try await withChannel(script) { channel, kernel, time in
            _ = try? await channel.perform(.setPowered(true), on: 0)
            try await channel.perform(.setPowered(false), on: 0)
            #expect(kernel.moments(of: 0x05) == [.zero, .seconds(20)])
            try await channel.perform(.setPowered(false), on: 0)
            #expect(time.now == .seconds(20))
        }
    }

    @Test func `that closes does not delay a command that waits for a late answer`() async throws {
        try await withChannel(ScriptedKernel.mute) { channel, kernel, time in
            _ = try? await channel.perform(.setPowered(true), on: 0)
            let second = Task(executorPreference: time) {
                _ = try await channel.perform(.setPowered(false), on: 0)
            }
            try await time.clock.sleep(for: .seconds(1))
            kernel.hangUp()
            await #expect(throws: ManagementError.closed) { try await second.value }
            #expect(time.now == .seconds(11))
        }
    }

    @Test func `sends commands one at a time, in order of arrival`() async throws {
        try await withChannel(ScriptedKernel.mute) { channel, kernel, time in
            async let first = channel.perform(.setLowEnergy(true), on: 0)
            async let second = channel.perform(.setPowered(true), on: 0)
            async let third = channel.perform(.startDiscovery, on: 0)
            let orders: [(UInt16, Int)] = [(0x0D, 1), (0x05, 2), (0x23, 3)]
            for (opcode, count) in orders {
                try await time.clock.sleep(for: .seconds(1))
                #expect(kernel.opcodes.count == count)
                #expect(kernel.opcodes.last == opcode)
                try await kernel.say(Packet.event(0x01, 0, Packet.word(opcode) + [0]))
            }
            _ = try await (first, second, third)
            #expect(time.now == .seconds(3))
        }
    }

    @Test func `sends every event to every listener until the listener stops`() async throws {
        try await withChannel { channel, kernel, time in
            let stops = channel.events()
            let stays = channel.events()
            try await kernel.say(Packet.event(0x04, 1, []))
            var heard: [UInt16] = []
            for await (index, event) in stops {
                #expect(event == .indexAdded)
                heard.append(index)
                break
            }
            #expect(heard == [1])
            try await kernel.say(Packet.event(0x05, 2, []))
            try await time.clock.sleep(for: .seconds(1))
            kernel.hangUp()
            var all: [ManagementEvent] = []
            for await (_, event) in stays { all.append(event) }
            #expect(all == [.indexAdded, .indexRemoved])
        }
    }

    @Test func `removes a cancelled listener`() async throws {
        try await withChannel { channel, kernel, time in
            let events = channel.events()
            let listener = Task(executorPreference: time) {
                var count = 0
                for await _ in events { count += 1 }
                return count
            }
            try await kernel.say(Packet.deviceFound)
            try await time.clock.sleep(for: .seconds(1))
            listener.cancel()
            try await kernel.say(Packet.deviceFound)
            #expect(await listener.value == 1)
        }
    }

    @Test func `does not deliver an answer as an event`() async throws {
        try await withChannel { channel, kernel, time in
            let events = channel.events()
            try await channel.perform(.startDiscovery, on: 0)
            try await time.clock.sleep(for: .seconds(1))
            kernel.hangUp()
            for await event in events { Issue.record("\(event)") }
        }
    }

    @Test func `that closes during a command fails it at once, and every later one`() async throws {
        try await withChannel(ScriptedKernel.mute) { channel, kernel, time in
            let answer = Task(executorPreference: time) {
                _ = try await channel.perform(.startDiscovery, on: 0)
            }
            try await time.clock.sleep(for: .seconds(1))
            kernel.hangUp()
            await #expect(throws: ManagementError.closed) { try await answer.value }
            await #expect(throws: ManagementError.closed) { try await channel.perform(.stopDiscovery, on: 0) }
            for await event in channel.events() { Issue.record("\(event)") }
            #expect(time.now == .seconds(1))
        }
    }

    @Test(arguments: [false, true])
    func `abandons a cancelled command`(_ waitsAlready: Bool) async throws {
        try await withChannel(ScriptedKernel.mute) { channel, _, time in
            let task = Task(executorPreference: time) {
                do throws(ManagementError) {
                    try await channel.perform(.startDiscovery, on: 0)
                    return ManagementError?.none
                } catch { return error }
            }
            if waitsAlready { try await time.clock.sleep(for: .seconds(1)) }
            let start = time.now
            task.cancel()
            #expect(await task.value == .cancelled)
            #expect(time.now == start)
        }
    }

    @Test func `skips packets that it cannot read`() async throws {
        let script: ScriptedKernel.Script = { request in
            let garbage: [[UInt8]] = [
                [0], [1, 0, 0, 0, 9, 0], [UInt8](repeating: 0xFF, count: 300), [1, 0, 0, 0, 2, 0, 3, 0],
                Packet.event(0x12, 0, [1, 2, 3]),
            ]
            return garbage + [request.complete()]
        }
        try await withChannel(script) { channel, _, time in
            try await channel.perform(.startDiscovery, on: 0)
            #expect(time.now == .zero)
        }
    }

    @Test func `reports an answer that is too short`() async throws {
        try await withChannel({ [$0.complete([2, 0, 1, 0])] }) { channel, _, _ in
            await #expect(throws: ManagementError.malformed(command: "Read Controller Index List")) {
                try await channel.controllers()
            }
            await #expect(throws: ManagementError.malformed(command: "Read Controller Information")) {
                try await channel.information(of: 0)
            }
        }
    }
}

/// A bearer that receives what a test feeds it, and can answer every command by itself.
private final class HandFedBearer: Bearer {
    private struct State {
        var sent = 0
        var answers = false
        var isClosed = false
        var packets: [[UInt8]] = []
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    var sent: Int { state.withLock { $0.sent } }
    var answers: Bool {
        get { state.withLock { $0.answers } }
        set { state.withLock { $0.answers = newValue } }
    }

    func feed(_ packet: [UInt8]) {
        state.withLock { state in
            state.packets.append(packet)
            state.waiter?.resume()
            state.waiter = nil
        }
    }

    func send(_ packet: [UInt8]) async throws(BearerError) {
        let answers = state.withLock { state in
            state.sent += 1
            return state.answers
        }
        if answers { feed([0x01, 0] + packet[2..<4] + [3, 0] + packet[0..<2] + [0]) }
    }

    func receive() async throws(BearerError) -> [UInt8]? {
        await withCheckedContinuation { waiter in
            let isReady = state.withLock { state in
                guard state.packets.isEmpty, !state.isClosed else { return true }
                state.waiter = waiter
                return false
            }
            if isReady { waiter.resume() }
        }
        return state.withLock { $0.packets.isEmpty ? nil : $0.packets.removeFirst() }
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            state.waiter?.resume()
            state.waiter = nil
        }
    }
}
