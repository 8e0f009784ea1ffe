import Bluetooth
import Foundation
import Glibc
import Simulation
import TestSupport
import Testing

@testable import BlueZ

@Suite(.timeLimit(.minutes(1))) struct `The scope of an exclusive adapter` {
    @Test func `is switched off for its use, reset, and switched on again`() async throws {
        try await withExclusiveAdapter { adapter, air, _ in
            #expect(adapter.name == "hci0")
            #expect(!air.isPowered.change { $0 })
        } after: { air, kernel in
            #expect(air.isPowered.change { $0 })
            #expect(air.controller.change { $0.commands.last } == 0x0C03)
            #expect(kernel.requests.filter { $0.opcode == 5 }.map(\.parameters) == [[0], [1]])
        }
    }

    @Test func `that was off stays off`() async throws {
        try await withExclusiveAdapter(preparing: { $0.isPowered.change { $0 = false } }) { _, _, _ in
        } after: { air, kernel in
            #expect(!air.isPowered.change { $0 })
            #expect(!kernel.opcodes.contains(5))
        }
    }

    @Test func `is switched on again after a failure and after a cancellation`() async throws {
        struct Fault: Error {}
        await #expect(throws: Fault.self) {
            try await withExclusiveAdapter { _, _, _ in
                throw Fault()
            } after: { air, _ in
                #expect(air.isPowered.change { $0 })
            }
        }
        _ = await failure {
            try await withExclusiveAdapter { adapter, _, time in
                _ = try await time.clock.within(.seconds(1)) {
                    try await adapter.open(
                        .attributes, to: HostBench.peer(1), asking: LinkRequest(), within: .seconds(60))
                }
            } after: { air, _ in
                #expect(air.isPowered.change { $0 })
            }
        }
    }

    @Test func `is refused while it has links, or another program scans`() async throws {
        let linked = await failure {
            try await withExclusiveAdapter(preparing: {
                $0.connections.change { $0 = [1, 0] + HostBench.peer(1).managementBytes }
            }) { _, _, _ in
            } after: { air, _ in
                #expect(air.isPowered.change { $0 })
            }
        }
        #expect("\(linked.map(\.description) ?? "")".contains("has links to F0:0D:BE:AC:00:01"))
        let scanned = await failure {
            try await withExclusiveAdapter(preparing: { $0.refusals.change { $0 = [0x23: 0x0A] } }) {
                _, _, _ in
            } after: { air, _ in
                #expect(air.isPowered.change { $0 })
            }
        }
        #expect("\(scanned.map(\.description) ?? "")".contains("another program is scanning"))
    }

    /// The kernel refuses the first command that needs it.
    @Test(arguments: [[0x05], [0x05, 0x23], [0x05, 0x15, 0x23]] as [[UInt16]])
    func `needs a capability`(_ opcodes: [UInt16]) async throws {
        let refused = await failure {
            try await withExclusiveAdapter(preparing: { air in
                air.refusals.change { $0 = Dictionary(uniqueKeysWithValues: opcodes.map { ($0, 0x14) }) }
            }) { _, _, _ in }
        }
        #expect(refused == .notPermitted(capability: "CAP_NET_ADMIN", to: "use hci0 exclusively"))
    }

    @Test(arguments: ["changed", "connecting", "exclusive"])
    func `is refused while another copy of this program uses it`(_ lock: String) async throws {
        let locks = NamedLocks.unshared()
        let other = try NamedLocks(prefix: locks.prefix).share(in: "\(lock)/11:22:33:44:55:66")
        let refused = await failure {
            try await withExclusiveAdapter(locks: locks) { _, _, _ in
            } after: { air, kernel in
                #expect(!kernel.opcodes.contains(5))
            }
        }
        withExtendedLifetime(other) {}
        guard case .unavailable(let reason)? = refused else {
            Issue.record("\(String(describing: refused))")
            return
        }
        #expect(
            reason.hasPrefix("hci0 cannot be used exclusively: ") && reason.contains("(process \(getpid()))"))
    }

    @Test func `that a killed run has left off is switched on again`() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/records-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let records = ControllerRecords(folder: folder)
        records.keep(
            ControllerRecord(settings: [.powered, .lowEnergy], isExclusive: true), of: "11:22:33:44:55:66")
        try await withExclusiveAdapter(
            records: records, preparing: { $0.isPowered.change { $0 = false } }
        ) { _, _, _ in
        } after: { air, _ in
            #expect(air.isPowered.change { $0 })
            #expect(records.record(of: "11:22:33:44:55:66") == nil)
        }
    }

    @Test func `that the kernel does not get back has a record`() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/records-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let records = ControllerRecords(folder: folder)
        try await withExclusiveAdapter(records: records) { _, air, _ in
            // Invalid Index.
            air.refusals.change { $0 = [0x04: 0x11] }
        }
        #expect(records.record(of: "11:22:33:44:55:66")?.isExclusive == true)
    }

    @Test func `on which a killed run has left something says so before its record is lost`() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/records-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let records = ControllerRecords(folder: folder)
        records.keep(ControllerRecord(settings: [.lowEnergy]), of: "11:22:33:44:55:66")
        let lines = Shared<[String]>([])
        try await withExclusiveAdapter(records: records, logging: lines) { _, _, _ in }
        #expect(
            lines.change { $0 }
                == ["a run that was killed has left hci0 switched on, which it was not before"])
        #expect(records.record(of: "11:22:33:44:55:66") == nil)
    }

    @Test func `whose controller cannot be used is given back`() async throws {
        var controller = ImitatedController()
        controller.mute = [0x1002]
        let refused = await failure {
            try await withExclusiveAdapter(controller) { _, _, _ in
            } after: { air, _ in
                #expect(air.isPowered.change { $0 })
            }
        }
        #expect(refused == .unavailable("hci0 does not answer Read Local Supported Commands"))
    }
}
