import Bytes
import Testing

@testable import Bluetooth

/// A peer that answers discovery in ways that no attribute table would.
@Suite(.timeLimit(.minutes(10))) struct `Discovery against a hostile peer` {
    /// Entry length too small or larger than the rest; no entries; an entry cut short.
    @Test(
        arguments: [
            "11", "11 00", "11 00 0100", "11 01 01", "11 02 0100", "11 03 010002", "11 06", "11 ff",
            "11 ff 0100 0200 0018", "11 06 0100 0200 00", "11 06 0100 0200 0018 0300",
        ])
    func `refuses services that cannot be read`(_ packet: String) async throws {
        try await onLink { client, peer in
            async let error = failure { () throws(GATTError) in try await client.discoverServices() }
            await peer.hears("10 0100 ffff 0028")
            try await peer.says(packet)
            guard case .malformed(_, during: "listing services") = await error else {
                Issue.record("\(String(describing: await error))")
                return
            }
        }
    }

    /// First after last, handle 0, a UUID of no length.
    @Test(arguments: [
        "11 06 0500 0300 0018", "11 06 0000 0000 0018", "11 04 0100 ffff", "11 08 0100 ffff 00000018",
    ])
    func `lists no invalid service`(_ packet: String) async throws {
        try await onLink { client, peer in
            async let services = client.discoverServices()
            await peer.hears("10 0100 ffff 0028")
            try await peer.says(packet)
            #expect(try await services == [])
            try await peer.hearsNothing()
        }
    }

    @Test func `ends when services do not advance`() async throws {
        try await onLink { client, peer in
            async let services = client.discoverServices()
            await peer.hears("10 0100 ffff 0028")
            try await peer.says("11 06 0100 0700 0018")
            await peer.hears("10 0800 ffff 0028")
            try await peer.says("11 06 0100 0700 0018")
            #expect(try await services.map(\.handles) == [1...7])
            try await peer.hearsNothing()
        }
    }

    /// One packet's worth of groups, repeated, must not fill the memory.
    @Test func `keeps no service twice, however often it is sent`() async throws {
        try await onLink { client, peer in
            async let services = client.discoverServices()
            for last in 1...200 {
                let handle = String(0x10000 + last, radix: 16).suffix(4)
                _ = await peer.next()
                let group = "0100" + handle.suffix(2) + handle.prefix(2) + "0018"
                try await peer.says("11 06" + String(repeating: group, count: 100))
            }
            _ = await peer.next()
            try await peer.says("01 10 0000 0a")
            #expect(try await services.count <= 200)
        }
    }

    @Test func `ends although every answer covers a single handle`() async throws {
        try await onLink { client, peer in
            async let services = client.discoverServices()
            await peer.hears("10 0100 ffff 0028")
            try await peer.says("11 06 0100 fffe 0018")
            for handle in 0xFF00...0xFFFF {
                let digits = HexText.digits(UInt8(handle & 0xFF)) + "ff"
                await peer.hears("10" + digits + "ffff 0028")
                try await peer.says("11 06" + digits + digits + "0018")
            }
            #expect(try await services.count == 257)
        }
    }

    @Test func `stops listing services beyond the number that any device has`() async throws {
        try await onLink { client, peer in
            async let services = client.discoverServices()
            for handle in 1...1024 {
                let digits = HexText.digits(UInt8(handle & 0xFF)) + HexText.digits(UInt8(handle >> 8))
                await peer.hears("10" + digits + "ffff 0028")
                try await peer.says("11 06" + digits + digits + "0018")
            }
            #expect(try await services.count == 1024)
            try await peer.hearsNothing()
        }
    }

    @Test func `stops listing characteristics and descriptors beyond that number`() async throws {
        try await onLink { client, peer in
            let service = ServiceDeclaration(uuid: BluetoothUUID(0xFE59), handles: 1...0xFFFF)
            async let listed = client.discoverCharacteristics(in: service)
            for handle in 1...1024 {
                let digits = HexText.digits(UInt8(handle & 0xFF)) + HexText.digits(UInt8(handle >> 8))
                await peer.hears("08" + digits + "ffff 0328")
                try await peer.says("09 07" + digits + "02" + digits + "01aa")
            }
            let last = try #require(try await listed.last)
            #expect(last.endHandle == 0xFFFF)
            async let descriptors = client.discoverDescriptors(of: last)
            for handle in 1025...2048 {
                let digits = HexText.digits(UInt8(handle & 0xFF)) + HexText.digits(UInt8(handle >> 8))
                await peer.hears("04" + digits + "ffff")
                try await peer.says("05 01" + digits + "0129")
            }
            #expect(try await descriptors.count == 1024)
            try await peer.hearsNothing()
        }
    }

    static let listing = "11 06 0b00 2000 59fe"
    private func characteristics(
        _ packet: String,
        _ check: @Sendable (Result<[CharacteristicDeclaration], GATTError>, Peer) async throws -> Void
    ) async throws {
        try await onLink { client, peer in
            async let result = { () async -> Result<[CharacteristicDeclaration], GATTError> in
                do throws(GATTError) {
                    return .success(try await client.discoverCharacteristics(of: BluetoothUUID(0xFE59)))
                } catch { return .failure(error) }
            }()
            await peer.hears("10 0100 ffff 0028")
            try await peer.says(Self.listing)
            await peer.hears("10 2100 ffff 0028")
            try await peer.says("01 10 2100 0a")
            await peer.hears("08 0b00 2000 0328")
            try await peer.says(packet)
            try await check(await result, peer)
        }
    }

    @Test(
        arguments: [
            "09", "09 00", "09 00 0c00", "09 01 0c", "09 07", "09 ff 0c00 02 0d00 01aa",
            "09 07 0c00 02 0d00 01",
            "09 07 0c00 02 0d00 01aa 0e",
        ])
    func `refuses characteristics that cannot be read`(_ packet: String) async throws {
        try await characteristics(packet) { result, _ in
            guard case .failure(.malformed(_, during: "listing characteristics")) = result else {
                Issue.record("\(result)")
                return
            }
        }
    }

    /// Before and after the requested range; no value handle or UUID; a UUID of three bytes.
    @Test(
        arguments: [
            "09 07 0100 02 0200 01aa", "09 07 2100 02 2200 01aa", "09 07 0000 02 0000 01aa",
            "09 07 ffff 02 ffff 01aa", "09 02 2000", "09 03 2000 02", "09 05 2000 02 0d00",
            "09 08 2000 02 2100 010203",
        ])
    func `lists no invalid characteristic`(_ packet: String) async throws {
        try await characteristics(packet) { result, peer in
            #expect(result == .success([]))
            try await peer.hearsNothing()
        }
    }

    @Test func `survives characteristics in the wrong order`() async throws {
        try await characteristics("09 07 1f00 12 2000 01aa 0c00 12 0d00 02aa 0c00 12 0d00 02aa") {
            result, peer in
            if case .success(let found) = result {
                #expect(found.allSatisfy { $0.valueHandle <= $0.endHandle })
            }
        }
    }

    @Test(
        arguments: [
            "05", "05 01", "05 02", "05 00 0e00 0229", "05 03 0e00 0229", "05 01 0e00", "05 01 0e00 02",
            "05 02 0e00 0229", "05 01 0e00 0129 0f",
        ])
    func `refuses descriptors that cannot be read`(_ packet: String) async throws {
        try await onDiscoveredLink { client, peer in
            async let error = failure { () throws(GATTError) in try await client.notifications(from: .value) }
            await peer.hears("04 0e00 0e00")
            try await peer.says(packet)
            guard case .malformed(_, during: "listing descriptors") = await error else {
                Issue.record("\(String(describing: await error))")
                return
            }
        }
    }

    @Test(arguments: ["05 01 0d00 0129", "05 01 0000 0129", "05 01 0d00 0229", "05 01 ffff 0229"])
    func `accepts no descriptor from elsewhere`(_ packet: String) async throws {
        try await onDiscoveredLink { client, peer in
            async let error = failure { () throws(GATTError) in try await client.notifications(from: .value) }
            await peer.hears("04 0e00 0e00")
            try await peer.says(packet)
            #expect(await error == .unsuitable(.value, needs: "a client configuration descriptor"))
        }
    }
}
