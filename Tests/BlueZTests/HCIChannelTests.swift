import Bluetooth
import Bytes
import Simulation
import TestSupport
import Testing

@testable import BlueZ

/// A controller at the other end of an HCI socket; answers each command, by its opcode, with packets.
final class ScriptedController: Sendable {
    typealias Script = @Sendable (UInt16) -> [String]
    let socket: PacketSocket
    private let time: VirtualTime
    private let seen = Shared<[(Duration, UInt16)]>([])

    init(_ socket: PacketSocket, _ time: VirtualTime) {
        self.socket = socket
        self.time = time
    }

    var opcodes: [UInt16] { seen.change { $0.map(\.1) } }
    func say(_ hex: String) async throws { try await socket.send([UInt8](hex: hex)) }

    func serve(_ script: Script) async {
        while let packet = try? await socket.receive() {
            guard packet.count >= 4 else { continue }
            let opcode = UInt16(packet[1]) | UInt16(packet[2]) << 8
            let now = time.now
            seen.change { $0.append((now, opcode)) }
            for answer in script(opcode) { try? await say(answer) }
        }
    }

    /// Completes everything at once: 15 ms, 251 octets, 2M, on handle 0x40.
    static let able: Script = { opcode in
        switch opcode {
        case 0x2013: ["04 0F 04 00 01 1320", "04 3E 0A 03 00 4000 0C00 0000 5802"]
        case 0x2022: ["04 0E 06 01 2220 00 4000", "04 3E 0B 07 4000 FB00 4808 FB00 4808"]
        case 0x2030: ["04 0E 08 01 3020 00 4000 01 01"]
        case 0x2032: ["04 0F 04 00 01 3220", "04 3E 06 0C 00 4000 02 02"]
        default: []
        }
    }

    /// A link to F0:0D:00:00:00:01 with handle 0x40 and an interval of 30 ms, or another.
    static func linked(_ interval: String = "1800") -> String {
        "04 3E 13 01 00 4000 00 01 010000000DF0 \(interval) 0000 5802 00"
    }
}

@Suite(.timeLimit(.minutes(10))) struct `An HCI channel` {
    static func withChannel(
        _ script: @escaping ScriptedController.Script,
        _ body: @escaping @Sendable (HCIChannel, ScriptedController, VirtualTime) async throws -> Void
    ) async throws {
        try await VirtualTime.run { time in
            let (near, far) = try PacketSocket.pair(readiness: time)
            let controller = ScriptedController(far, time)
            let channel = HCIChannel(bearer: near, time: time.clock)
            async let _ = controller.serve(script)
            async let _ = channel.run()
            defer { far.close() }
            try await body(channel, controller, time)
        }
    }

    static let phyUpdate: HCIChannel.Completion = {
        if case .phyUpdate(let status, 0x40, _) = $0 { status } else { nil }
    }

    @Test func `does not wait for the completion of a command when the link is lost`() async throws {
        try await Self.withChannel({ _ in ["04 0F 04 00 01 3220"] }) { channel, controller, time in
            let end = Task(executorPreference: time) {
                try await channel.perform(.setPHY(0x40), until: Self.phyUpdate)
            }
            try await time.clock.sleep(for: .seconds(1))
            try await controller.say("04 05 04 00 4100 13")
            try await controller.say("04 05 04 00 4000 08")
            await #expect(throws: HCIError.refused(HCIStatus(rawValue: 8), command: "LE Set PHY")) {
                try await end.value
            }
            #expect(time.now == .seconds(1))
        }
    }

    @Test func `gives the return parameters of a command`() async throws {
        try await Self.withChannel(ScriptedController.able) { channel, _, _ in
            let phy = try await channel.sendingPHY(of: 0x40)
            #expect(phy == .le1M)
            await #expect(throws: HCIError.noAnswer(command: "LE Read PHY")) {
                try await channel.sendingPHY(of: 0x41)
            }
        }
    }

    /// The kernel sends commands too, and every HCI socket hears their answers.
    @Test func `does not take the answer to another command for its own`() async throws {
        let script: ScriptedController.Script = { _ in
            ["04 0E 04 01 2220 0C", "04 0F 04 0C 01 3220", "04 0E 08 01 3020 00 4000 02 01"]
        }
        try await Self.withChannel(script) { channel, _, _ in
            let phy = try await channel.sendingPHY(of: 0x40)
            #expect(phy == .le2M)
        }
    }

    @Test func `names a refusal, as status or as completion`() async throws {
        let script: ScriptedController.Script = { opcode in
            opcode == 0x2022 ? ["04 0E 04 01 2220 01"] : ["04 0F 04 0C 01 3020"]
        }
        try await Self.withChannel(script) { channel, _, _ in
            await #expect(
                throws: HCIError.refused(HCIStatus(rawValue: 1), command: "LE Set Data Length")
            ) { try await channel.perform(.setDataLength(0x40)) }
            await #expect(throws: HCIError.refused(HCIStatus(rawValue: 0x0C), command: "LE Read PHY")) {
                try await channel.perform(.readPHY(0x40))
            }
        }
    }

    @Test func `waits for the completion of a command on its own link`() async throws {
        let script: ScriptedController.Script = { _ in
            ["04 3E 06 0C 00 4100 01 01", "04 0F 04 00 01 3220", "04 3E 06 0C 00 4100 02 02"]
        }
        try await Self.withChannel(script) { channel, controller, time in
            let end = Task(executorPreference: time) {
                try await channel.perform(.setPHY(0x40), until: Self.phyUpdate)
            }
            try await time.clock.sleep(for: .seconds(1))
            try await controller.say("04 3E 06 0C 1A 4000 01 01")
            await #expect(throws: HCIError.refused(HCIStatus(rawValue: 0x1A), command: "LE Set PHY")) {
                try await end.value
            }
            #expect(time.now == .seconds(1))
        }
    }

    /// The controller may complete before the channel waits.
    @Test func `accepts a completion that precedes the status`() async throws {
        let script: ScriptedController.Script = { _ in
            ["04 3E 06 0C 00 4000 02 02", "04 0F 04 00 01 3220"]
        }
        try await Self.withChannel(script) { channel, _, time in
            try await channel.perform(.setPHY(0x40), until: Self.phyUpdate)
            #expect(time.now == .zero)
        }
    }

    @Test func `waits two seconds for an answer, five for the completion`() async throws {
        try await Self.withChannel({ $0 == 0x2032 ? ["04 0F 04 00 01 3220"] : [] }) { channel, _, time in
            await #expect(throws: HCIError.noAnswer(command: "LE Read PHY")) {
                try await channel.perform(.readPHY(0x40))
            }
            #expect(time.now == .seconds(2))
            await #expect(throws: HCIError.noAnswer(command: "LE Set PHY")) {
                try await channel.perform(.setPHY(0x40)) { _ in nil }
            }
            #expect(time.now == .seconds(7))
        }
    }

    @Test func `reports at once that the controller is gone, and forgets its links`() async throws {
        try await Self.withChannel({ _ in [] }) { channel, controller, time in
            try await controller.say(ScriptedController.linked())
            let command = Task(executorPreference: time) { _ = try await channel.perform(.readPHY(0x40)) }
            try await time.clock.sleep(for: .seconds(1))
            #expect(channel.link(0x40)?.interval == .milliseconds(30))
            controller.socket.close()
            await #expect(throws: HCIError.closed) { try await command.value }
            await #expect(throws: HCIError.closed) { try await channel.perform(.readPHY(0x40)) }
            #expect(channel.link(0x40) == nil)
            #expect(time.now == .seconds(1))
        }
    }

    @Test func `skips packets that it cannot read`() async throws {
        let script: ScriptedController.Script = { _ in
            ["04", "04 3E 01 01", "02 00 00 00", "04 0E 08 01 3020 00 4000 02 01"]
        }
        try await Self.withChannel(script) { channel, _, _ in
            let phy = try await channel.sendingPHY(of: 0x40)
            #expect(phy == .le2M)
        }
    }
}

@Suite struct `A table of links` {
    static func table(_ packets: [String]) throws -> LinkTable {
        var table = LinkTable()
        for packet in packets {
            var reader = ByteReader([UInt8](hex: packet))
            table.note(try HCIEvent(parsing: &reader))
        }
        return table
    }

    @Test func `follows the state of a link`() throws {
        let linked = ScriptedController.linked()
        #expect(try Self.table([linked]).links[0x40]?.phy == .le1M)
        #expect(try Self.table([linked]).links[0x40]?.sendOctets == 27)
        let tuned = try Self.table([
            linked, "04 3E 0A 03 00 4000 0C00 0000 5802", "04 3E 0B 07 4000 FB00 4808 FB00 4808",
            "04 3E 06 0C 00 4000 02 02",
        ])
        let link = try #require(tuned.links[0x40])
        #expect(link.peer == (try address("F0:0D:00:00:00:01")))
        #expect(link.interval == .milliseconds(15))
        #expect(link.sendOctets == 251)
        #expect(link.phy == .le2M)
    }

    @Test func `ignores failed events and events of unknown links`() throws {
        let linked = ScriptedController.linked()
        let plain = try Self.table([linked])
        #expect(
            try Self.table([
                linked, "04 3E 0A 03 3B 4000 0C00 0000 5802", "04 3E 06 0C 1A 4000 02 02",
                "04 3E 06 0C 00 4100 02 02", "04 3E 13 01 3E 4100 00 01 020000000DF0 1800 0000 5802 00",
            ]) == plain)
    }

    @Test func `forgets a link that has ended`() throws {
        let table = try Self.table([ScriptedController.linked(), "04 05 04 00 4000 08"])
        #expect(table == LinkTable())
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A new link of the kernel's adapter` {
    /// Tunes a link with `script`'s controller; returns the commands sent and the resulting link.
    static func tune(
        _ script: @escaping ScriptedController.Script, interval: String = "1800"
    ) async throws -> (opcodes: [UInt16], parameters: LinkParameters, moment: Duration) {
        let found = Shared<([UInt16], LinkParameters, Duration)>(([], LinkParameters(), .zero))
        let ends = Shared<ScriptedController?>(nil)
        let opening: @Sendable (VirtualTime) throws -> KernelAdapter.HCIOpening = { time in
            let (near, far) = try PacketSocket.pair(readiness: time)
            ends.change { $0 = ScriptedController(far, time) }
            return { @Sendable _ in near }
        }
        try await withAdapter(controller: opening) { adapter, _, time in
            let controller = try #require(ends.change { $0 })
            async let _ = controller.serve(script)
            defer { controller.socket.close() }
            try await controller.say(ScriptedController.linked(interval))
            try await time.clock.sleep(for: .milliseconds(1))
            let (near, _) = try PacketSocket.pair(readiness: time)
            let peer = try address("F0:0D:00:00:00:01")
            let channel = KernelChannel(
                to: peer, .attributes, on: near, options: ScriptedOptions().options)
            adapter.tune(channel, as: LinkRequest())
            let parameters = await adapter.parameters(of: channel)
            let moment = time.now
            try await time.clock.sleep(for: .seconds(20))
            let opcodes = controller.opcodes
            found.change { $0 = (opcodes, parameters, moment) }
        }
        return found.change { $0 }
    }

    @Test func `is given interval, data length and 2M`() async throws {
        let seen = try await Self.tune(ScriptedController.able)
        #expect(seen.opcodes == [0x2013, 0x2022, 0x2030, 0x2032])
        #expect(seen.parameters == LinkParameters(interval: .milliseconds(15), phy: .le2M))
        #expect(seen.moment == .milliseconds(1))
    }

    @Test(arguments: [("02", .le2M), ("03", .leCoded)] as [(String, PHY)])
    func `keeps a PHY other than LE 1M that it began on`(_ code: String, _ phy: PHY) async throws {
        let seen = try await Self.tune { opcode in
            opcode == 0x2030
                ? ["04 0E 08 01 3020 00 4000 \(code) \(code)"] : ScriptedController.able(opcode)
        }
        #expect(seen.opcodes == [0x2013, 0x2022, 0x2030])
        #expect(seen.parameters.phy == phy)
    }

    @Test func `keeps an interval that already matches the request`() async throws {
        let seen = try await Self.tune(ScriptedController.able, interval: "0C00")
        #expect(seen.opcodes == [0x2022, 0x2030, 0x2032])
    }

    @Test func `is left as it is by a controller that refuses everything`() async throws {
        let seen = try await Self.tune { opcode in
            ["04 0F 04 01 01 " + Packet.word(opcode).map { HexText.encode([$0]) }.joined()]
        }
        #expect(seen.opcodes == [0x2013, 0x2022, 0x2030])
        #expect(seen.parameters == LinkParameters(interval: .milliseconds(30), phy: .le1M))
    }

    @Test func `is not delayed when the controller does not answer`() async throws {
        let seen = try await Self.tune { _ in [] }
        #expect(seen.moment == .milliseconds(251))
        #expect(seen.parameters == LinkParameters(interval: .milliseconds(30), phy: .le1M))
    }

    @Test func `reports only what the socket knows if there is no HCI channel`() async throws {
        try await withAdapter { adapter, _, time in
            let (near, _) = try PacketSocket.pair(readiness: time)
            let channel = KernelChannel(
                to: try address("F0:0D:00:00:00:01"), .creditBased(psm: 0x80), on: near,
                options: ScriptedOptions().options)
            adapter.tune(channel, as: LinkRequest())
            #expect(await adapter.parameters(of: channel) == LinkParameters(phy: .le2M, maximumPacket: 100))
            #expect(time.now == .zero)
        }
    }
}
