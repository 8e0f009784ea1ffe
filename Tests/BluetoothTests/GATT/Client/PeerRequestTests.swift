import Bluetooth
import Testing

/// The peer is a client too (Vol 3, Part F, 3.4). Attributes that we do not have are not found.
@Suite(.timeLimit(.minutes(10))) struct `A request from the peer` {
    @Test(
        arguments: [
            ("04 0100 ffff", "01 04 0100 0a"), ("06 0200 ffff 0028 0018", "01 06 0200 0a"),
            ("08 0300 ffff 002a", "01 08 0300 0a"), ("10 0400 ffff 0028", "01 10 0400 0a"),
            ("0a 0300", "01 0a 0000 06"), ("0c 0300 1600", "01 0c 0000 06"),
            ("0e 0300 0400", "01 0e 0000 06"), ("12 0300 01", "01 12 0000 06"),
            ("16 0300 0000 01", "01 16 0000 06"), ("18 01", "01 18 0000 06"),
            ("20 0300 0400", "01 20 0000 06"), ("22 00", "01 22 0000 06"), ("2c", "01 2c 0000 06"),
            ("04", "01 04 0000 04"), ("08 01", "01 08 0000 04"),
        ])
    func `is answered`(_ request: String, _ answer: String) async throws {
        try await onLink { _, peer in
            try await peer.says(request)
            await peer.hears(answer)
        }
    }

    @Test(arguments: ["52 0300 01", "d2 0300 01 00112233445566778899aabb", "7f", "40", "1e", "23 0100"])
    func `is not answered when it is a command or a confirmation`(_ packet: String) async throws {
        try await onLink { _, peer in
            try await peer.says(packet)
            try await peer.hearsNothing()
        }
    }

    @Test(arguments: ["22 00", "0a 0300", "02 6400", "1d 0d00 01", "52 0300 01", "7f 00"])
    func `does not disturb our own`(_ packet: String) async throws {
        try await onDiscoveredLink { client, peer in
            async let value = client.read(.value)
            await peer.hears("0a 0d00")
            try await peer.says(packet)
            if !packet.hasPrefix("5"), !packet.hasPrefix("7") { _ = await peer.next() }
            try await peer.says("0b 2a")
            #expect(try await value == [42])
        }
    }
}
