import Testing

@testable import Bluetooth

@Suite(.timeLimit(.minutes(10))) struct `An inventory` {
    /// Vol 3, Part G, 4.7.1, over two packets, with a short UUID and a long one.
    @Test func `lists the descriptors after a value`() async throws {
        try await onLink { client, peer in
            async let services = client.discoverServices()
            await peer.hears("10 0100 ffff 0028")
            try await peer.says("11 06 0100 ffff 59fe")
            let service = try #require(try await services.first)
            async let listed = client.discoverCharacteristics(in: service)
            await peer.hears("08 0100 ffff 0328")
            try await peer.says("09 07 0200 12 0300 01aa 0900 02 0a00 02aa")
            await peer.hears("08 0a00 ffff 0328")
            try await peer.says("01 08 0a00 0a")
            let first = try #require(try await listed.first)
            async let descriptors = client.discoverDescriptors(of: first)
            await peer.hears("04 0400 0800")
            try await peer.says("05 01 0400 0229 0500 0129")
            await peer.hears("04 0600 0800")
            try await peer.says("05 02 0700 50eada308883b89f604f15f30300c98e")
            await peer.hears("04 0800 0800")
            try await peer.says("01 04 0800 0a")
            let found = try await descriptors
            #expect(found.map(\.handle) == [4, 5, 7])
            #expect(
                found.map(\.uuid.description) == ["2902", "2901", "8EC90003-F315-4F60-9FB8-838830DAEA50"])
            async let text = client.read(at: 5, of: BluetoothUUID(0x2901))
            await peer.hears("0a 0500")
            try await peer.says("0b 4142")
            #expect(try await text == [0x41, 0x42])
        }
    }

    /// Two services with one UUID are two services.
    @Test func `distinguishes services that have the same UUID`() async throws {
        try await onLink { client, peer in
            async let services = client.discoverServices()
            await peer.hears("10 0100 ffff 0028")
            try await peer.says("11 06 0100 0300 0f18 0400 ffff 0f18")
            let found = try await services
            for (service, value) in zip(found, ["03", "06"]) {
                let start = service.handles.lowerBound == 1 ? "0100 0300" : "0400 ffff"
                async let listed = client.discoverCharacteristics(in: service)
                await peer.hears("08 \(start) 0328")
                try await peer.says("09 07 \(value == "03" ? "0200" : "0500") 02 \(value)00 192a")
                if value == "03" {
                    await peer.hears("08 0300 0300 0328")
                    try await peer.says("01 08 0300 0a")
                } else {
                    await peer.hears("08 0600 ffff 0328")
                    try await peer.says("01 08 0600 0a")
                }
                #expect(try await listed.map(\.valueHandle) == [value == "03" ? 3 : 6])
            }
        }
    }
}
