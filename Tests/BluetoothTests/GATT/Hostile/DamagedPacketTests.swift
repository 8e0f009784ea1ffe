import Bytes
import Simulation
import TestSupport
import Testing

@testable import Bluetooth

/// One packet of every kind that a peer may send, each with the call that requests it.
private enum Kind: String, CaseIterable, Sendable {
    case error = "01 0a 0d00 0a"
    case mtu = "03 f700"
    case information = "05 01 0e00 0229"
    case longInformation = "05 02 0e00 50eada308883b89f604f15f30300c98e"
    case byType = "09 07 0c00 1a 0d00 01aa 0f00 0c 1000 02aa"
    case value = "0b 010203"
    case blob = "0d 0405"
    case byGroup = "11 06 0100 0700 0018 0800 0a00 0f18"
    case longByGroup = "11 14 0b00 1000 50eada308883b89f604f15f30100c98e"
    case written = "13"
    case notification = "1b 0d00 010203"
    case indication = "1d 0d00 010203"
    case mtuRequest = "02 f700"
    case typeRequest = "08 0100 ffff 0028"
    case writeRequest = "12 0300 01"
    case command = "52 0300 01"

    var damaged: [[UInt8]] {
        let bytes = [UInt8](hex: rawValue)
        return Corruption.prefixes(of: bytes) + Corruption.flips(of: bytes).map(\.bytes)
    }

    func ask(_ client: ATTClient) async throws(GATTError) {
        switch self {
        case .mtu: try await client.exchangeMTU()
        case .information, .longInformation:
            _ = try await client.perform(.findInformation(in: 14...14), "asking")
        case .byType: _ = try await client.perform(.readByType(0x2803, in: 11...16), "asking")
        case .blob: _ = try await client.perform(.readBlob(13, from: 22), "asking")
        case .byGroup, .longByGroup: _ = try await client.discoverServices()
        case .written: try await client.perform(.write([1], to: 13), "asking")
        default: _ = try await client.perform(.read(13), "asking")
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A damaged packet` {
    @Test(arguments: Kind.allCases.map(\.rawValue))
    func `is processed or refused`(_ kind: String) throws {
        let kind = try #require(Kind(rawValue: kind))
        for bytes in kind.damaged {
            var reader = ByteReader(bytes)
            do throws(ByteError) {
                _ = try IncomingATTPacket(parsing: &reader)
            } catch {
                #expect(error.offset <= bytes.count)
                if case .truncated = error.reason {} else { Issue.record("\(error)") }
            }
        }
    }

    @Test(arguments: Kind.allCases.map(\.rawValue))
    func `ends a request with success or a typed error`(_ kind: String) async throws {
        let kind = try #require(Kind(rawValue: kind))
        for bytes in kind.damaged where !bytes.isEmpty {
            try await onLink { client, peer in
                async let error = failure { () throws(GATTError) in try await kind.ask(client) }
                _ = await peer.next()
                try await peer.end.send(bytes)
                try await peer.pause()
                peer.end.close()
                _ = await error
            }
        }
    }
}

/// Numbers that look random and are the same in every run (SplitMix64).
private struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A peer that sends random packets` {
    private static let opcodes: [UInt8] = [
        0x01, 0x03, 0x05, 0x09, 0x0B, 0x0D, 0x11, 0x13, 0x1B, 0x1D, 0x02, 0x08, 0x52,
    ]
    private static let answers: [UInt8: UInt8] = [
        0x02: 0x03, 0x04: 0x05, 0x08: 0x09, 0x0A: 0x0B, 0x0C: 0x0D, 0x10: 0x11, 0x12: 0x13,
    ]

    /// Half of the packets have the form of an answer to the client's last request.
    @Test(arguments: [1, 0xBEAC_0DF0] as [UInt64])
    func `neither stops nor breaks the client in 20 000 packets`(_ seed: UInt64) async throws {
        print("random attribute packets with seed", seed)
        var random = Seeded(state: seed)
        var said = 0
        while said < 20_000 {
            let packets = (0..<200).map { _ in Self.packet(&random) }
            said += packets.count
            try await onLink { client, peer in
                let work = Task(executorPreference: peer.time) { await Self.work(client) }
                var asked: UInt8 = 0
                for packet in packets {
                    let end = peer.end
                    let heard = try await peer.time.clock.within(.milliseconds(1)) {
                        try? await end.receive()
                    }
                    if let first = heard?.flatMap(\.self)?.first { asked = first }
                    var packet = packet
                    if packet[0] & 0x80 != 0, let answer = Self.answers[asked] { packet[0] = answer }
                    guard (try? await peer.end.send(packet)) != nil else { break }
                }
                peer.end.close()
                await work.value
            }
        }
    }

    private static func packet(_ random: inout Seeded) -> [UInt8] {
        let count = Int.random(in: 1...30, using: &random)
        var packet = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        if Bool.random(using: &random) { packet[0] = opcodes.randomElement(using: &random) ?? 0x01 }
        // Small numbers look like lengths and handles.
        for index in packet.indices.dropFirst() where Bool.random(using: &random) { packet[index] &= 0x1F }
        return packet
    }

    private static func work(_ client: ATTClient) async {
        for _ in 0..<1000 {
            let errors = [
                await failure { () throws(GATTError) in try await client.exchangeMTU() },
                await failure { () throws(GATTError) in try await client.read(.value) },
                await failure { () throws(GATTError) in try await client.write([1], to: .value) },
                await failure { () throws(GATTError) in try await client.notifications(from: .value) },
            ]
            if errors.contains(.disconnected) { return }
        }
    }
}
