import Testing

@testable import Bluetooth

/// Vol 3, Part G, 4.4 and 4.6; the packets are those of Part F, 3.4.3.1, 3.4.4.1 and 3.4.4.9.
@Suite(.timeLimit(.minutes(10))) struct `Discovery` {
    @Test func `lists services over several packets, with short and long UUIDs`() async throws {
        try await onLink { client, peer in
            async let services = client.discoverServices()
            await peer.hears("10 0100 ffff 0028")
            try await peer.says("11 06 0100 0700 0018 0800 0a00 0f18")
            await peer.hears("10 0b00 ffff 0028")
            try await peer.says("11 14 0b00 1000 50eada308883b89f604f15f30100c98e")
            await peer.hears("10 1100 ffff 0028")
            try await peer.says("11 06 1100 ffff 59fe")
            let found = try await services
            #expect(
                found.map(\.uuid.description) == [
                    "1800", "180F", "8EC90001-F315-4F60-9FB8-838830DAEA50", "FE59",
                ])
            #expect(found.map(\.handles) == [1...7, 8...10, 11...16, 17...0xFFFF])
            // Known services are not requested again.
            #expect(try await client.discoverServices() == found)
            try await peer.hearsNothing()
        }
    }

    @Test func `treats the long form of a short UUID as the short one`() async throws {
        try await onLink { client, peer in
            async let services = client.discoverServices()
            await peer.hears("10 0100 ffff 0028")
            try await peer.says("11 14 0b00 ffff fb349b5f8000008000100000 59fe0000")
            #expect(try await services.map(\.uuid) == [BluetoothUUID(0xFE59)])
        }
    }

    @Test func `lists characteristics over several packets, with the end of each one`() async throws {
        try await onLink { client, peer in
            async let list = client.discoverCharacteristics(of: BluetoothUUID(0xFE59))
            await peer.hears("10 0100 ffff 0028")
            try await peer.says("11 06 0b00 2000 59fe")
            await peer.hears("10 2100 ffff 0028")
            try await peer.says("01 10 2100 0a")
            await peer.hears("08 0b00 2000 0328")
            try await peer.says("09 07 0c00 02 0d00 01aa 0e00 10 0f00 02aa")
            await peer.hears("08 0f00 2000 0328")
            try await peer.says("09 15 1200 28 1300 50eada308883b89f604f15f30300c98e")
            await peer.hears("08 1300 2000 0328")
            try await peer.says("01 08 1300 0a")
            let found = try await list
            #expect(
                found.map(\.characteristic.uuid.description) == [
                    "AA01", "AA02", "8EC90003-F315-4F60-9FB8-838830DAEA50",
                ])
            #expect(found.map(\.valueHandle) == [13, 15, 19])
            #expect(found.map(\.endHandle) == [13, 17, 32])
            #expect(found.map(\.properties) == [[.read], [.notify], [.write, .indicate]])
        }
    }

    @Test func `finds no characteristics in a service that does not exist`() async throws {
        try await onDiscoveredLink { client, peer in
            #expect(try await client.discoverCharacteristics(of: BluetoothUUID(0x180F)) == [])
            let stranger = Characteristic(BluetoothUUID(0x180F), BluetoothUUID(0x2A19))
            #expect(try await !client.offers(stranger))
            let error = await failure { () throws(GATTError) in try await client.read(stranger) }
            #expect(error == .missing(stranger))
            try await peer.hearsNothing()
        }
    }

    @Test(arguments: ["0229", "fb349b5f8000008000100000 02290000"])
    func `finds the client configuration among other descriptors`(_ uuid: String) async throws {
        let uuid = uuid.filter { $0 != " " }
        let format = uuid.count == 4 ? "01" : "02"
        try await onLink { client, peer in
            async let list = client.discoverCharacteristics(of: BluetoothUUID(0xFE59))
            await peer.hears("10 0100 ffff 0028")
            try await peer.says("11 06 0b00 ffff 59fe")
            await peer.hears("08 0b00 ffff 0328")
            try await peer.says("09 07 0c00 10 0d00 01aa")
            await peer.hears("08 0d00 ffff 0328")
            try await peer.says("01 08 0d00 0a")
            let declaration = try #require(try await list.first)
            async let handle = client.configurationHandle(of: declaration)
            await peer.hears("04 0e00 ffff")
            try await peer.says("05 01 0e00 0129 0f00 0429")
            await peer.hears("04 1000 ffff")
            try await peer.says("05 02 1000 50eada308883b89f604f15f30300c98e")
            await peer.hears("04 1100 ffff")
            try await peer.says("05" + format + "1100" + uuid)
            #expect(try await handle == 0x11)
        }
    }

    @Test func `ends without a client configuration if there is none`() async throws {
        try await onDiscoveredLink { client, peer in
            let declaration = try await client.declaration(of: .value)
            async let handle = client.configurationHandle(of: declaration)
            await peer.hears("04 0e00 0e00")
            try await peer.says("01 04 0e00 0a")
            #expect(try await handle == nil)
        }
    }

    @Test func `passes a refusal on`() async throws {
        try await onLink { client, peer in
            async let error = failure { () throws(GATTError) in try await client.discoverServices() }
            await peer.hears("10 0100 ffff 0028")
            try await peer.says("01 10 0100 08")
            let refused = await error
            #expect(refused == .refused(ATTStatus(rawValue: 8), handle: 1, during: "listing services"))
            #expect(
                refused?.description
                    == "insufficient authorization (ATT error 0x8, handle 1) while listing services")
            // A failed listing is not cached.
            async let again = client.discoverServices()
            await peer.hears("10 0100 ffff 0028")
            try await peer.says("01 10 0100 0a")
            #expect(try await again == [])
        }
    }
}
