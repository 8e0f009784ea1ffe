import Bluetooth
import Glibc
import Simulation
import Testing

@testable import BlueZ

@Suite(.timeLimit(.minutes(10))) struct `Encrypting a link of the kernel's adapter` {
    static let peer = DeviceAddress([0xF0, 0x0D, 0, 0, 0, 1] as [UInt8])
    static let other = DeviceAddress([0xF0, 0x0D, 0, 0, 0, 2] as [UInt8])

    /// Requests encryption, runs `meanwhile`, and returns the error and its time.
    static func encrypt(
        _ script: ScriptedOptions = ScriptedOptions(),
        _ kernelScript: @escaping ScriptedKernel.Script = ScriptedKernel.controller(),
        _ meanwhile: @escaping @Sendable (ScriptedKernel, ScriptedOptions, VirtualTime) async throws -> Void
    ) async throws -> (error: AdapterError?, moment: Duration, requests: [Request]) {
        let found = Shared<(AdapterError?, Duration, [Request])>((nil, .zero, []))
        try await withAdapter(kernelScript) { adapter, kernel, time in
            let (near, _) = try PacketSocket.pair(readiness: time)
            let channel = KernelChannel(
                to: try #require(peer), .attributes, on: near, options: script.options)
            let task = Task(executorPreference: time) {
                do throws(AdapterError) {
                    try await adapter.encrypt(channel, within: .seconds(20))
                    return AdapterError?.none
                } catch { return error }
            }
            try await time.clock.sleep(for: .seconds(1))
            try await meanwhile(kernel, script, time)
            let error = await task.value
            let moment = time.now
            let requests = kernel.requests.filter { $0.opcode >= 0x1C && $0.opcode <= 0x1F }
            found.change { $0 = (error, moment, requests) }
        }
        return found.change { $0 }
    }

    static func confirmation(_ peer: DeviceAddress?, showsNumber: Bool = false) -> [UInt8] {
        Packet.event(
            0x0F, 0, (peer?.managementBytes ?? []) + [showsNumber ? 0 : 1] + [0x40, 0xE2, 0x01, 0])
    }

    @Test func `confirms a pairing that needs only a confirmation`() async throws {
        let seen = try await Self.encrypt { kernel, options, time in
            try await kernel.say(Self.confirmation(Self.other))
            try await kernel.say(Self.confirmation(Self.peer))
            try await time.clock.sleep(for: .seconds(1))
            options.settle(.done)
        }
        #expect(seen.error == nil)
        #expect(seen.moment == .seconds(2))
        let peer = try #require(Self.peer)
        #expect(seen.requests.map(\.opcode) == [0x1C])
        #expect(seen.requests.first?.parameters == peer.managementBytes)
    }

    @Test func `continues when a daemon confirmed first`() async throws {
        let seen = try await Self.encrypt(ScriptedOptions(), ScriptedKernel.controller(refusing: [0x1C: 2])) {
            kernel, options, time in
            try await kernel.say(Self.confirmation(Self.peer))
            try await time.clock.sleep(for: .seconds(1))
            options.settle(.done)
        }
        #expect(seen.error == nil)
    }

    @Test func `declines a pairing that needs a comparison or a code`() async throws {
        let number = try await Self.encrypt { kernel, _, _ in
            try await kernel.say(Self.confirmation(Self.peer, showsNumber: true))
        }
        #expect(number.requests.map(\.opcode) == [0x1D])
        #expect(number.error == .notEncrypted(Self.peer, reason: "the beacon requires comparing a number"))
        let passkey = try await Self.encrypt { kernel, _, _ in
            try await kernel.say(Packet.event(0x10, 0, Self.peer?.managementBytes ?? []))
        }
        #expect(passkey.requests.map(\.opcode) == [0x1F])
        #expect(passkey.error == .notEncrypted(Self.peer, reason: "the beacon requires a passkey"))
    }

    @Test func `reports the reason of a failure`() async throws {
        let refused = try await Self.encrypt { kernel, _, _ in
            let other = Self.other?.managementBytes ?? []
            try await kernel.say(Packet.event(0x11, 0, other + [5]))
            try await kernel.say(Packet.event(0x11, 0, (Self.peer?.managementBytes ?? []) + [5]))
        }
        #expect(
            refused.error
                == .notEncrypted(Self.peer, reason: "pairing failed (authentication failed)"))
        let ended = try await Self.encrypt { kernel, options, _ in
            options.settle(.ended)
            try await kernel.say(Packet.event(0x0C, 0, (Self.peer?.managementBytes ?? []) + [4]))
        }
        #expect(
            ended.error == .notEncrypted(Self.peer, reason: "the link ended: authentication failure"))
        let silently = try await Self.encrypt { _, options, _ in options.settle(.ended) }
        #expect(silently.error == .notEncrypted(Self.peer, reason: "the link ended"))
        #expect(silently.moment == .seconds(1) + .milliseconds(500))
    }

    @Test func `keeps to its time limit`() async throws {
        let seen = try await Self.encrypt { _, _, _ in }
        guard case .notEncrypted(Self.peer, let reason) = seen.error else {
            Issue.record("\(String(describing: seen.error))")
            return
        }
        #expect(reason.hasPrefix("no answer within 20.0 seconds"))
        #expect(seen.moment == .seconds(20))
    }

    @Test func `does nothing on a link that has a key`() async throws {
        let keyed = try await Self.encrypt(ScriptedOptions(refusal: EINVAL, hasKey: true)) { _, _, _ in }
        #expect(keyed.error == nil)
        let bare = try await Self.encrypt(ScriptedOptions(refusal: EINVAL)) { _, _, _ in }
        #expect(bare.error == .notEncrypted(Self.peer, reason: "the kernel refuses with error \(EINVAL)"))
    }

    @Test func `ends when the task is cancelled, and closes the channel`() async throws {
        try await withAdapter { adapter, _, time in
            let (near, far) = try PacketSocket.pair(readiness: time)
            let channel = KernelChannel(
                to: try #require(Self.peer), .attributes, on: near, options: ScriptedOptions().options)
            let task = Task(executorPreference: time) {
                do throws(AdapterError) {
                    try await adapter.encrypt(channel, within: .seconds(20))
                    return AdapterError?.none
                } catch { return error }
            }
            try await time.clock.sleep(for: .seconds(1))
            task.cancel()
            #expect(await task.value == .cancelled)
            #expect(time.now == .seconds(1))
            let packet1 = try await far.receive()
            #expect(packet1 == nil)
        }
    }
}
