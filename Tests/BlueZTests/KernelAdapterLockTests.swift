import Bluetooth
import Logging
import Simulation
import TestSupport
import Testing

@testable import BlueZ

@Suite(.timeLimit(.minutes(10))) struct `Two programs at one adapter of the kernel` {
    @Test func `do not connect to the same beacon`() async throws {
        try await withAdapter { adapter, _, _ in
            let peer = try address("F0:0D:00:00:00:01")
            let other = NamedLocks(prefix: adapter.locks.prefix)
            var claim: BeaconClaim? = try adapter.claim(peer)
            let name = "beacon/F0:0D:00:00:00:01/random"
            #expect(throws: NamedLock.Owner.self) { try other.share(in: name) }
            withExtendedLifetime(claim) {}
            claim = nil
            let share = try other.share(in: name)
            let error = #expect(throws: AdapterError.self) { try adapter.claim(peer) }
            guard case .inUse(peer, by: let owner) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(owner.contains("process"))
            // The same digits in the other address space are another beacon.
            _ = try adapter.claim(try address("F0:0D:00:00:00:01", .public))
            withExtendedLifetime(share) {}
        }
    }

    @Test func `connect one after the other`() async throws {
        try await withAdapter { adapter, _, time in
            let other = NamedLocks(prefix: adapter.locks.prefix)
            let share = Shared<NamedLocks.Share?>(try other.share(in: "connecting/\(adapter.key)"))
            let peer = try address("F0:0D:00:00:00:01")
            let opening = Task(executorPreference: time) {
                do throws(AdapterError) {
                    let channel = try await adapter.open(
                        .attributes, to: peer, asking: LinkRequest(), within: .seconds(1))
                    channel.close()
                    return AdapterError?.none
                } catch { return error }
            }
            try await time.clock.sleep(for: .seconds(5))
            share.change { $0 = nil }
            // No peer answers: what matters is that the connection was tried, with all its time left.
            let error = await opening.value
            if case .connectingElsewhere = error { Issue.record("\(String(describing: error))") }
            #expect(time.now >= .seconds(5) && time.now < .seconds(12))
        }
    }

    @Test func `do not wait for each other without end`() async throws {
        try await withAdapter { adapter, _, time in
            let other = NamedLocks(prefix: adapter.locks.prefix)
            let share = try other.share(in: "connecting/\(adapter.key)")
            let peer = try address("F0:0D:00:00:00:01")
            let error = await #expect(throws: AdapterError.self) {
                try await adapter.open(.attributes, to: peer, asking: LinkRequest(), within: .seconds(1))
            }
            guard case .connectingElsewhere(adapter: "hci0", _) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(time.now == .seconds(30))
            withExtendedLifetime(share) {}
        }
    }

    @Test(arguments: [nil, ControllerName.number(3)])
    func `are told who has it exclusively, and what to do`(_ name: ControllerName?) async throws {
        let locks = NamedLocks.unshared()
        let share = try NamedLocks(prefix: locks.prefix).share(in: "exclusive/hci3")
        let error = await #expect(throws: AdapterError.self) {
            try await VirtualTime.run { time in
                let (near, far) = try PacketSocket.pair(readiness: time)
                let kernel = ScriptedKernel(far, time)
                async let _ = kernel.serve { [$0.complete([0, 0])] }
                try await KernelAdapter.withAdapter(
                    name, over: near,
                    in: KernelAdapter.Environment(
                        time: time.clock, readiness: time,
                        log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, executor: time,
                        locks: locks)
                ) { _ in }
            }
        }
        let words = error?.description ?? ""
        #expect(words.hasPrefix("hci3 is used exclusively by ") && words.contains("(process "))
        #expect(words.hasSuffix(": wait until it has ended, or use another adapter"))
        withExtendedLifetime(share) {}
    }

    @Test func `recognise a link that the other one has`() async throws {
        let ordinary = ScriptedKernel.controller()
        let script: ScriptedKernel.Script = { request in
            guard request.opcode == 0x15 else { return ordinary(request) }
            return [request.complete([UInt8](hex: "0200 01000000 0DF0 02 665544332211 00"))]
        }
        let (peer, other) = (try address("F0:0D:00:00:00:01"), try address("F0:0D:00:00:00:02"))
        let twin = try address("F0:0D:00:00:00:01", .public)
        try await withAdapter(script) { adapter, _, _ in
            #expect(await adapter.isHeldElsewhere(peer))
            #expect(await !adapter.isHeldElsewhere(twin))
            #expect(await !adapter.isHeldElsewhere(other))
        }
        try await withAdapter(ScriptedKernel.controller(refusing: [0x15: 0x14])) { adapter, _, _ in
            #expect(await !adapter.isHeldElsewhere(peer))
        }
    }
}
