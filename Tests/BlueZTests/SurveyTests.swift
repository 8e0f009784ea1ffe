import Bluetooth
import Simulation
import TestSupport
import Testing

@testable import BlueZ

@Suite(.timeLimit(.minutes(10))) struct `A survey` {
    private static let start: UInt16 = 0x0023
    private static let stop: UInt16 = 0x0024

    /// Surveys a scripted kernel; returns the controllers and the commands that it received.
    static func take(
        _ script: @escaping ScriptedKernel.Script
    ) async throws -> (found: [BluetoothSurvey.Controller], opcodes: [UInt16]) {
        try await VirtualTime.run { time in
            let (near, far) = try PacketSocket.pair(readiness: time)
            let kernel = ScriptedKernel(far, time)
            async let served: Void = kernel.serve(script)
            let found = try await BluetoothSurvey.controllers(over: near, time: time.clock)
            await served
            return (found, kernel.opcodes)
        }
    }

    @Test func `finds that nothing scans, and leaves nothing on`() async throws {
        let (found, opcodes) = try await Self.take(ScriptedKernel.controller())
        #expect(found.map(\.discovery) == [.none])
        #expect(found.map(\.name) == ["hci0"])
        #expect(opcodes == [0x0003, 0x0004, Self.start, Self.stop])
    }

    @Test(
        arguments: [
            ("FF7F0000 007E0000 FF060000", 0xFF, .init(phys: [.le1M, .le2M, .leCoded])),
            (
                "FF7F0000 007E0000 FF7E0000", 0x80,
                .init(phys: [.le1M, .le2M, .leCoded], isCodedSelected: true)
            ),
            ("FF070000 00060000 FF060000", 0x7F, .init(phys: [.le1M], hasExtended: false)),
        ] as [(String, UInt8, BluetoothSurvey.Radio)])
    func `reports the PHYs that a controller claims`(
        _ phys: String, _ flags: UInt8, _ radio: BluetoothSurvey.Radio
    ) async throws {
        let (found, _) = try await Self.take { request in
            switch request.opcode {
            case 0x04: [request.complete(Packet.information(supported: 0x0001_FEFF))]
            case 0x44: [request.complete([UInt8](hex: phys))]
            case 0x3D: [request.complete([flags, 0, 0, 0, 31, 31, 5, 0])]
            default: ScriptedKernel.controller()(request)
            }
        }
        #expect(found.map(\.radio) == [radio])
    }

    @Test(arguments: [0x3D as UInt16, 0x44])
    func `reports no PHYs where the kernel refuses to tell`(_ opcode: UInt16) async throws {
        let (found, _) = try await Self.take { request in
            switch request.opcode {
            case opcode: [request.refused(0x14)]
            case 0x04: [request.complete(Packet.information(supported: 0x0001_FEFF))]
            case 0x44: [request.complete([UInt8](hex: "FF7F0000 007E0000 FF060000"))]
            default: ScriptedKernel.controller()(request)
            }
        }
        #expect(found.map(\.radio) == [nil])
    }

    /// Stopping would end the other program's discovery.
    @Test func `finds another program's scan, and does not end it`() async throws {
        let (found, opcodes) = try await Self.take(ScriptedKernel.controller(refusing: [Self.start: 0x0A]))
        #expect(found.map(\.discovery) == [.shared])
        #expect(!opcodes.contains(Self.stop))
    }

    @Test(arguments: [
        (0x14 as UInt8, BluetoothSurvey.Discovery.unknown("CAP_NET_ADMIN is missing")),
        (0x03, .refused("failed")), (0x0B, .refused("rejected")),
    ])
    func `reports why nothing could be found out`(
        _ status: UInt8, _ discovery: BluetoothSurvey.Discovery
    ) async throws {
        let (found, opcodes) = try await Self.take(ScriptedKernel.controller(refusing: [Self.start: status]))
        #expect(found.map(\.discovery) == [discovery])
        #expect(!opcodes.contains(Self.stop))
    }

    @Test(arguments: [0x0000_0200 as UInt32, 0x0000_0001, 0])
    func `does not scan with an adapter that is off`(_ settings: UInt32) async throws {
        let (found, opcodes) = try await Self.take(ScriptedKernel.controller(settings: settings))
        #expect(found.first?.isPowered == (settings & 1 == 1))
        #expect(found.first?.isLowEnergyOn == (settings & 0x200 != 0))
        #expect(opcodes == [0x0003, 0x0004])
    }

    @Test func `ends when the kernel does not answer, and stops nothing`() async throws {
        let (found, opcodes) = try await Self.take { request in
            request.opcode == Self.start ? [] : ScriptedKernel.controller()(request)
        }
        #expect(found.map(\.discovery) == [.unknown("the kernel does not answer")])
        #expect(!opcodes.contains(Self.stop))
    }

    @Test func `does not fail when stopping fails`() async throws {
        let (found, _) = try await Self.take(ScriptedKernel.controller(refusing: [Self.stop: 0x0B]))
        #expect(found.map(\.discovery) == [.none])
    }
}
