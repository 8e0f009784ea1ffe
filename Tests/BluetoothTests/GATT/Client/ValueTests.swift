import Bytes
import Testing

@testable import Bluetooth

private func bytes(_ range: Range<Int>) -> [UInt8] { range.map { UInt8(truncatingIfNeeded: $0) } }
private func hex(_ range: Range<Int>) -> String { HexText.encode(bytes(range)) }

@Suite(.timeLimit(.minutes(10))) struct `A value` {
    /// Vol 3, Part F, 3.4.4.3 and 3.4.4.4.
    @Test(arguments: [0, 1, 21])
    func `is read in one packet when it fits`(_ count: Int) async throws {
        try await onDiscoveredLink { client, peer in
            async let value = client.read(.value)
            await peer.hears("0a 0d00")
            try await peer.says("0b" + hex(0..<count))
            #expect(try await value == bytes(0..<count))
            try await peer.hearsNothing()
        }
    }

    /// Vol 3, Part F, 3.4.4.5: the rest, with the offset.
    @Test func `is read further while packets are full`() async throws {
        try await onDiscoveredLink { client, peer in
            async let value = client.read(.value)
            await peer.hears("0a 0d00")
            try await peer.says("0b" + hex(0..<22))
            await peer.hears("0c 0d00 1600")
            try await peer.says("0d" + hex(22..<44))
            await peer.hears("0c 0d00 2c00")
            try await peer.says("0d" + hex(44..<50))
            #expect(try await value == bytes(0..<50))
        }
    }

    /// Vol 3, Part F, 3.2.9: 512 bytes are the longest; 24 packets of 22 are more.
    @Test func `is never longer than the maximum`() async throws {
        try await onDiscoveredLink { client, peer in
            async let value = client.read(.value)
            await peer.hears("0a 0d00")
            try await peer.says("0b" + hex(0..<22))
            for number in 1..<24 {
                let offset = UInt16(number * 22)
                await peer.hears(
                    "0c 0d00" + HexText.digits(UInt8(offset & 0xFF)) + HexText.digits(UInt8(offset >> 8)))
                try await peer.says("0d" + hex(number * 22..<number * 22 + 22))
            }
            #expect(try await value == bytes(0..<512))
            try await peer.hearsNothing()
        }
    }

    /// An empty blob; attribute not long (3.4.4.5); invalid offset; a peer without blobs.
    @Test(arguments: ["0d", "01 0c 0d00 0b", "01 0c 0d00 07", "01 0c 0d00 06"])
    func `that just fills its packet ends where the peer ends it`(_ end: String) async throws {
        try await onDiscoveredLink { client, peer in
            async let value = client.read(.value)
            await peer.hears("0a 0d00")
            try await peer.says("0b" + hex(0..<22))
            await peer.hears("0c 0d00 1600")
            try await peer.says(end)
            #expect(try await value == bytes(0..<22))
        }
    }

    /// Half a value must not be taken for a whole one.
    @Test(arguments: [0x05, 0x0E, 0x11, 0x12] as [UInt8])
    func `is not cut short by an error in its middle`(_ status: UInt8) async throws {
        try await onDiscoveredLink { client, peer in
            async let error = failure { () throws(GATTError) in try await client.read(.value) }
            await peer.hears("0a 0d00")
            try await peer.says("0b" + hex(0..<22))
            await peer.hears("0c 0d00 1600")
            try await peer.says("0d" + hex(22..<44))
            await peer.hears("0c 0d00 2c00")
            try await peer.end.send([0x01, 0x0C, 0x0D, 0x00, status])
            #expect(
                await error
                    == .refused(ATTStatus(rawValue: status), handle: 13, during: "reading AA01"))
        }
    }

    /// Vol 3, Part F, 3.2.9: no value is longer than 512 bytes.
    @Test func `ends at 512 bytes, however much the peer has`() async throws {
        try await onDiscoveredLink { client, peer in
            async let value = client.read(.value)
            await peer.hears("0a 0d00")
            try await peer.says("0b" + hex(0..<22))
            for start in stride(from: 22, to: 512, by: 22) {
                let offset = HexText.digits(UInt8(start & 0xFF)) + (start > 255 ? "01" : "00")
                await peer.hears("0c 0d00" + offset)
                try await peer.says("0d" + hex(start..<start + 22))
            }
            #expect(try await value.count >= 512)
            try await peer.hearsNothing()
        }
    }

    /// Vol 3, Part F, 3.4.5.1 and 3.4.5.2.
    @Test func `is written with an acknowledgement`() async throws {
        try await onDiscoveredLink { client, peer in
            async let written: Void = client.write([1, 2, 3], to: .value)
            await peer.hears("12 0d00 010203")
            try await peer.says("13")
            try await written
        }
    }

    /// Vol 3, Part F, 3.4.5.3: nothing comes back.
    @Test func `is written without one`() async throws {
        try await onDiscoveredLink { client, peer in
            try await client.send([UInt8](), to: .sink)
            try await client.send([9, 8], to: .sink)
            await peer.hears("52 1000")
            await peer.hears("52 1000 0908")
        }
    }

    @Test func `is not written without one if the peripheral does not offer that`() async throws {
        try await onDiscoveredLink { client, peer in
            let error = await failure { () throws(GATTError) in try await client.send([1], to: .value) }
            #expect(error == .unsuitable(.value, needs: "write without response"))
            try await peer.hearsNothing()
        }
    }

    @Test(
        arguments: [
            ("02", "read not permitted"), ("0f", "insufficient encryption"), ("80", "application error 0x80"),
            ("fd", "client characteristic configuration descriptor improperly configured"),
        ])
    func `that is refused has the name of the error`(_ status: String, _ name: String) async throws {
        try await onDiscoveredLink { client, peer in
            async let error = failure { () throws(GATTError) in try await client.write([7], to: .value) }
            await peer.hears("12 0d00 07")
            try await peer.says("01 12 0d00" + status)
            let digits = status.drop { $0 == "0" }
            #expect(
                await error?.description
                    == "\(name) (ATT error 0x\(digits), handle 13) while writing AA01")
        }
    }
}
