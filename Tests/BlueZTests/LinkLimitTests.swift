import Bluetooth
import Glibc
import Simulation
import Synchronization
import TestSupport
import Testing

@testable import BlueZ

@Suite(.timeLimit(.minutes(10))) struct `All links of the kernel's adapter` {
    private static let peer = "F0:0D:00:00:00:01"

    /// Runs `body` with an adapter whose controller has `script`.
    static func withController(
        _ script: @escaping ScriptedController.Script = { _ in [] },
        connecting: (@Sendable (VirtualTime) -> KernelAdapter.Connecting)? = nil,
        _ body: @escaping @Sendable (KernelAdapter, ScriptedController, VirtualTime) async throws -> Void
    ) async throws {
        let ends = Shared<ScriptedController?>(nil)
        let opening: @Sendable (VirtualTime) throws -> KernelAdapter.HCIOpening = { time in
            let (near, far) = try PacketSocket.pair(readiness: time)
            ends.change { $0 = ScriptedController(far, time) }
            return { @Sendable _ in near }
        }
        try await withAdapter(controller: opening, connecting: connecting) { adapter, _, time in
            let controller = try #require(ends.change { $0 })
            async let _ = controller.serve(script)
            defer { controller.socket.close() }
            try await body(adapter, controller, time)
        }
    }

    private static func refusal(of adapter: KernelAdapter) async throws -> AdapterError? {
        let peer = try address(Self.peer)
        do throws(AdapterError) {
            try await adapter.open(.attributes, to: peer, asking: LinkRequest(), within: .seconds(10)).close()
            return nil
        } catch { return error }
    }

    @Test func `are at their limit, which is reported at once`() async throws {
        let full: @Sendable (VirtualTime) -> KernelAdapter.Connecting = { _ in
            { (_, _, _, _) async throws(ConnectFailure) in throw ConnectFailure(EMLINK) }
        }
        try await withAdapter(connecting: full) { adapter, _, time in
            let refusal = try await Self.refusal(of: adapter)
            #expect(refusal == .tooManyLinks(adapter: "hci0"))
            #expect(time.now == .zero)
        }
    }

    /// Some kernels report another error, or none.
    @Test(arguments: [
        "04 3E 13 01 09 0000 00 00 000000000000 0000 0000 0000 00", "04 0F 04 09 01 0D20",
        "04 0F 04 09 01 4320",
    ])
    func `are at their limit when the controller reports that`(_ event: String) async throws {
        let refused: @Sendable (VirtualTime) -> KernelAdapter.Connecting = { time in
            { (_, _, _, _) async throws(ConnectFailure) in
                try? await time.clock.sleep(for: .seconds(1))
                throw ConnectFailure(ECONNREFUSED)
            }
        }
        try await Self.withController(connecting: refused) { adapter, controller, time in
            async let said: Void = {
                try await time.clock.sleep(for: .milliseconds(500))
                try await controller.say(event)
            }()
            let refusal = try await Self.refusal(of: adapter)
            #expect(refusal == .tooManyLinks(adapter: "hci0"))
            try await said
            #expect(time.now == .milliseconds(500))
            // The limit was that of this attempt, not of the next one.
            let next = try await Self.refusal(of: adapter)
            let silence = AdapterError.noAnswer(try address(Self.peer))
            #expect(next == silence)
        }
    }

    @Test func `are given another interval if this program opened them`() async throws {
        try await Self.withController(ScriptedController.able) { adapter, controller, time in
            try await controller.say(ScriptedController.linked())
            try await controller.say("04 3E 13 01 00 4100 00 01 020000000DF0 1800 0000 5802 00")
            try await time.clock.sleep(for: .milliseconds(1))
            await adapter.retune(interval: .milliseconds(15))
            #expect(controller.opcodes == [])
            let peer = try address(Self.peer)
            adapter.state.withLock { $0.channels[peer] = 1 }
            await adapter.retune(interval: .milliseconds(15))
            #expect(controller.opcodes == [0x2013])
            await adapter.retune(interval: .milliseconds(15))
            #expect(controller.opcodes == [0x2013])
        }
    }

    /// LE Connection Update Complete: success, handle 64, 100 ms.
    private static let longer = "04 3E 0A 03 00 4000 5000 0000 5802"

    @Test func `have their interval requested once more when the peer asks for a longer one`() async throws {
        try await Self.withController(ScriptedController.able) { adapter, controller, time in
            try await controller.say(ScriptedController.linked())
            try await time.clock.sleep(for: .milliseconds(1))
            let peer = try address(Self.peer)
            adapter.state.withLock { $0.channels[peer] = 1 }
            await adapter.retune(interval: .milliseconds(15))
            #expect(controller.opcodes == [0x2013])
            for _ in 0..<3 {
                try await controller.say(Self.longer)
                try await time.clock.sleep(for: .milliseconds(100))
            }
            #expect(controller.opcodes == [0x2013, 0x2013])
        }
    }

    @Test func `are left alone if no interval was requested`()
        async throws
    {
        try await Self.withController(ScriptedController.able) { adapter, controller, time in
            try await controller.say(ScriptedController.linked())
            try await time.clock.sleep(for: .milliseconds(1))
            try await controller.say(Self.longer)
            try await time.clock.sleep(for: .milliseconds(100))
            #expect(controller.opcodes == [])
        }
    }
}
