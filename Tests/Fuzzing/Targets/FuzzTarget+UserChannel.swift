import Bluetooth
import Bytes
import TestSupport

@testable import BlueZ

extension FuzzTarget {
    /// What a controller passes on to a host that has it to itself.
    static let userChannel = [hostPackets]

    /// Each packet of the script is one of the controller's, 100 ms after the one before.
    private static let hostPackets = FuzzTarget("user-channel", seeds: { controllerPackets }) { input in
        var host = UserChannelHost(name: "hci0", fallbackAddress: peer(9))
        host.start(at: .zero)
        var opened = 0
        for _ in 0..<100 {
            let (packets, _) = host.output()
            // Every command succeeds, and every value is 0: one buffer of one byte.
            for packet in packets {
                host.receive(
                    [0x04, 0x0E, 68, 1] + packet[1...2] + [UInt8](repeating: 0, count: 65), at: .zero)
            }
        }
        try demand(host.phase == .ready, "a host that does not become ready")
        host.listen(true, at: .zero)
        for peer in (1...3).compactMap(peer) {
            _ = host.open(peer, asking: LinkRequest(), by: .seconds(60), at: .zero)
        }
        var now = Duration.zero
        for packet in Script(input).packets {
            now += .milliseconds(100)
            host.receive(packet, at: now)
            let (packets, events) = host.output()
            for packet in packets {
                try demand(
                    packet.first == 0x01 || packet.count == 6, "\(packet.count) bytes for a buffer of one")
            }
            for case .opened(_, let link) in events {
                opened += 1
                _ = host.send([0x0A, 3, 0], over: link, at: now)
            }
            for case .received(_, let packet) in events {
                try demand(packet.count <= PacketAssembly.mostPayload, "a packet of \(packet.count) bytes")
            }
        }
        try demand(opened <= 3, "\(opened) links for three who wait")
        try demand(host.links.keys.allSatisfy { $0 <= 0x0FFF }, "a handle of more than 12 bits")
        host.end(at: now)
        host.advance(to: now + .seconds(10))
    }

    private static func peer(_ number: UInt8) -> DeviceAddress? {
        DeviceAddress([0xF0, 0x0D, 0xBE, 0xAC, 0, number] as [UInt8])
    }

    /// The scan and the waiting begin, the first peer is linked, answers, sends parts, and is lost.
    private static let controllerPackets: [[UInt8]] = [
        Script.input(
            [
                "04 0E 04 01 0B20 00", "04 0E 04 01 0C20 00", "04 0E 04 01 1120 00", "04 0F 04 00 01 0D20",
                "04 3E 0F 02 01 00 01 0200ACBE0DF0 03 020106 C4",
                "04 3E 13 01 00 4100 00 01 0100ACBE0DF0 0C00 0000 5802 00", "04 0F 04 00 01 1620",
                "04 3E 0C 04 00 4100 2009000000000000", "02 4120 0700 0300 0400 0B0102",
                "02 4120 0500 0300 0400 0B", "02 4110 0200 0102", "04 13 05 01 4100 0100",
                "02 4120 1000 0C00 0500 1207 0800 0C00 1800 0000 9001", "02 4120 0600 0200 0600 0B01",
                "04 3E 0B 06 4100 0C00 1800 0000 9001", "04 05 04 00 4100 08",
            ].map { [UInt8](hex: $0) }),
        Script.input([
            [UInt8](
                hex: "04 3E 1D 0D 01 2100 01 0100ACBE0DF0 03 03 01 7F C4 0000 00 000000000000 03 020106")
        ]),
    ]
}
