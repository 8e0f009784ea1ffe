import Bytes
import TestSupport

@testable import Bluetooth
@testable import Simulation

extension FuzzTarget {
    /// Both ends of the attribute protocol.
    static let attributes = [arrival, answers, client, server]

    /// The packets that a client receives.
    private static let arrival = FuzzTarget("att-arrival", seeds: { packets }) { input in
        var reader = ByteReader(input)
        do {
            switch try IncomingATTPacket(parsing: &reader) {
            case .answer(_, let bytes), .request(_, let bytes):
                try demand(bytes == Array(input.dropFirst()), "parameters are not what followed the opcode")
            case .notification(_, let value), .indication(_, let value):
                try demand(value == Array(input.dropFirst(3)), "the value is not what followed the handle")
            case .refusal, .ignored: break
            }
        } catch let error as ByteError {
            try demandPlace(error, in: input)
        }
    }

    /// The first byte chooses the request, the rest is the answer after its opcode.
    private static let answers = FuzzTarget(
        "att-answers", seeds: { packets.map { [$0[0] % 6] + $0.dropFirst() } }
    ) { input in
        guard let choice = input.first else { return }
        let answer = Array(input.dropFirst())
        switch choice % 6 {
        case 0: _ = try parsed(.exchangeMTU(517), answer)
        case 1:
            let entries = try parsed(.findInformation(in: 1...0xFFFF), answer) ?? []
            try demand(entries.allSatisfy { [2, 16].contains($0.value.count) }, "a UUID of another length")
            try demand(
                entries.reduce(0) { $0 + 2 + $1.value.count } <= answer.count, "more than was received")
        case 2:
            let entries = try parsed(.readByType(0x2803, in: 1...0xFFFF), answer) ?? []
            try demand(
                entries.reduce(0) { $0 + 2 + $1.value.count } <= answer.count, "more than was received")
            for entry in entries {
                let declaration = CharacteristicDeclaration(
                    entry.value, in: BluetoothUUID(0xFE59), endingAt: entry.first)
                guard let declaration else { continue }
                try demand(declaration.endHandle >= declaration.valueHandle, "an end before the value")
            }
        case 3:
            let groups = try parsed(.readByGroupType(0x2800, in: 1...0xFFFF), answer) ?? []
            try demand(groups.reduce(0) { $0 + 4 + $1.value.count } <= answer.count, "more than was received")
        case 4: try demand(try parsed(.read(1), answer) == answer, "another value")
        default:
            try demand(try parsed(.readBlob(1, from: 22), answer) == answer, "another value")
        }
    }

    /// A whole discovery, a read and a subscription with a peer that sends the packets of a script.
    private static let client = FuzzTarget(
        "att-client", seeds: { [conversation, disordered].map(Script.input) }
    ) { input in
        try await VirtualTime.run { time in try await discover(input, time) }
    }

    private static func discover(_ input: [UInt8], _ time: VirtualTime) async throws {
        let peer = ScriptedPeer(Script(input).packets)
        let client = ATTClient(bearer: peer, time: time.clock)
        async let _ = client.run()
        defer { peer.close() }
        let value = Characteristic(BluetoothUUID(0xFE59), BluetoothUUID(0xAA01))
        try? await client.exchangeMTU()
        let mtu = await client.mtu
        try demand((23...517).contains(mtu), "an MTU of \(mtu)")
        if let services = try? await client.discoverServices() {
            let starts = services.map(\.handles.lowerBound)
            try demand(starts == starts.sorted(), "services out of order")
            try demand(Set(starts).count == starts.count, "two services at one handle")
        }
        if let found = try? await client.discoverCharacteristics(of: value.service) {
            try demand(found.allSatisfy { $0.endHandle >= $0.valueHandle }, "an end before the value")
        }
        if let bytes = try? await client.read(value) {
            try demand(bytes.count <= input.count + 1024, "a value that was not sent")
        }
        _ = try? await client.notifications(from: value)
    }

    /// The server's end, with the packets of a script.
    private static let server = FuzzTarget(
        "att-server", seeds: { [requests, Array(requests.dropFirst())].map(Script.input) }
    ) {
        input in
        for keepsWordSize in [false, true] {
            var server = AttributeServer(
                .bootloader(name: longName, maximumMTU: 247), maximumMTU: 247, keepsWordSize: keepsWordSize)
            for packet in Script(input).packets {
                let before = server.agreedMTU
                let answer = server.receive(packet).answer
                try demand((23...247).contains(server.agreedMTU), "an MTU of \(server.agreedMTU)")
                try demand(answer.map { (1...before).contains($0.count) } ?? true, "an answer beyond the MTU")
                guard let opcode = packet.first, ATTOpcode(rawValue: opcode).isRequest else { continue }
                try demand(
                    answer?.first == opcode + 1 || answer?.prefix(2) == [0x01, opcode],
                    "request \(opcode) answered with \(answer ?? [])")
            }
            for packet in [
                server.notification(input, from: AttributeTable.controlPoint),
                server.indication(input, from: AttributeTable.controlPoint),
            ] {
                try demand((packet?.count ?? 0) <= server.agreedMTU, "a value beyond the MTU")
            }
        }
    }

    private static func parsed<Answer>(
        _ request: ATTRequest<Answer>, _ answer: [UInt8]
    ) throws -> Answer? {
        var reader = ByteReader(answer)
        do throws(ByteError) { return try request.answer(&reader) } catch {
            try demandPlace(error, in: answer)
            return nil
        }
    }

    /// One packet of every kind that a peer may send.
    private static let packets = [
        "01 0a 0d00 0a", "03 f700", "05 01 0e00 0229", "05 02 0e00 50eada308883b89f604f15f30300c98e",
        "09 07 0c00 1a 0d00 01aa 0f00 0c 1000 02aa", "0b 010203", "0d 0405",
        "11 06 0100 0700 0018 0800 0a00 0f18", "11 14 0b00 1000 50eada308883b89f604f15f30100c98e", "13",
        "1b 0d00 010203", "1d 0d00 010203", "02 f700", "08 0100 ffff 0028", "12 0300 01", "52 0300 01",
    ].map { [UInt8](hex: $0) }

    private static let conversation = [
        "03 f700", "11 06 0b00 1000 59fe", "01 10 1100 0a", "09 07 0c00 1a 0d00 01aa 0f00 0c 1000 02aa",
        "01 08 1000 0a", "0b 010203", "05 01 0e00 0229", "13", "1b 0d00 07",
    ].map { [UInt8](hex: $0) }

    /// Services and characteristics whose handles do not advance.
    private static let disordered = [
        "03 f700", "11 06 0b00 1000 59fe 0100 0a00 0018 0b00 1000 59fe", "01 10 1100 0a",
        "09 07 0f00 0c 1000 02aa 0c00 1a 0d00 01aa", "01 08 1000 0a", "0b 010203", "05 01 0e00 0229", "13",
    ].map { [UInt8](hex: $0) }

    /// Longer than the smallest MTU can carry.
    private static let longName = String(repeating: "Dfu", count: 20)

    private static let requests = [
        "02 f700", "04 0100 ffff", "06 0100 ffff 0028 59fe", "08 0400 ffff 0328", "0a 0300", "0c 0300 0300",
        "10 0100 ffff 0028", "12 0700 0100", "12 0600 01", "52 0900 0102", "1e", "16 0300 0000 01", "18 01",
    ].map { [UInt8](hex: $0) }
}

/// An error has an offset inside the input, or at its end.
func demandPlace(_ error: ByteError, in input: [UInt8]) throws(Violation) {
    try demand((0...input.count).contains(error.offset), "\(error), in \(input.count) bytes")
}
