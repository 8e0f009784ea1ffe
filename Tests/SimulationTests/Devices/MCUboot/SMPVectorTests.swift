import Bytes
import FoundationEssentials
import TestSupport
import Testing

@testable import Simulation

/// The vectors of independent tools, which stay outside the repository.
private struct SMPVectors: Decodable {
    struct Header: Decodable { let version, op, len, group, seq, cmd: Int }
    struct Frame: Decodable {
        let name, by, hex: String
        let header: Header
        var bytes: [UInt8] { [UInt8](hex: hex) }
    }
    struct Entry: Decodable { let type, value: String }
    struct ParsedHeader: Decodable {
        let version: String
        let flags: Int
    }
    struct Parsed: Decodable {
        let header: ParsedHeader
        let protected: [Entry]
        let unprotected: [Entry]
        let hashedBytes, endOfTlvs: Int
    }
    struct Image: Decodable {
        /// Nil for padded images, which are compressed.
        let hex: String?
        let parsed: Parsed
    }
    struct BadImage: Decodable { let name, hex: String }

    let images: [String: Image]
    let badImages: [BadImage]
    let frames: [Frame]

    static let isThere = Samples.vectors("mcuboot.json") != nil

    static func read() throws -> SMPVectors {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(SMPVectors.self, from: Data(Samples.vectors("mcuboot.json") ?? []))
    }

    func frame(_ name: String) throws -> Frame { try #require(frames.first { $0.name == name }, "\(name)") }
}

@Suite(.enabled(if: SMPVectors.isThere, "there are no vectors next to the repository"))
struct `The vectors of SMP and MCUboot` {
    @Test func `are frames that are decoded, and encoded as they were`() throws {
        for frame in try SMPVectors.read().frames {
            let header = try #require(SMPHeader(frame.bytes))
            #expect(
                header.frameSize == frame.bytes.count && header.length == frame.header.len, "\(frame.name)")
            #expect(
                [header.operation, header.version + 1, header.sequence, header.command].map(Int.init)
                    == [frame.header.op, frame.header.version, frame.header.seq, frame.header.cmd],
                "\(frame.name)")
            #expect(Int(header.group) == frame.header.group, "\(frame.name)")
            let body = frame.bytes.dropFirst(SMPHeader.size)
            let value = try #require(SMPValue(decoding: body), "\(frame.name)")
            let lengths: SMPValue.Lengths = frame.by.hasPrefix("own") ? .indefinite : .definite
            #expect(value.encoded(lengths).hex == Array(body).hex, "\(frame.name)")
        }
    }

    @Test func `are images that are read entry by entry`() throws {
        for (name, vector) in try SMPVectors.read().images {
            guard let hex = vector.hex else { continue }
            let bytes = [UInt8](hex: hex)
            let image = try #require(MCUbootImage(in: bytes.count) { Array(bytes[$0]) }, "\(name)")
            #expect(image.version == MCUbootVersion(vector.parsed.header.version), "\(name)")
            #expect(image.flags == vector.parsed.header.flags, "\(name)")
            #expect(
                image.hashedLength == vector.parsed.hashedBytes && image.end == vector.parsed.endOfTlvs,
                "\(name)")
            let entries = vector.parsed.protected + vector.parsed.unprotected
            #expect(image.entries.map(\.type) == entries.map { Int($0.type, radix: 16) }, "\(name)")
            #expect(image.entries.map(\.value.hex) == entries.map(\.value), "\(name)")
        }
    }

    @Test func `are images that start, or do not`() throws {
        let vectors = try SMPVectors.read()
        func running(_ file: [UInt8]) throws -> String? {
            var bench = try SMPBench()
            bench.update(file)
            return bench.state().first
        }
        for name in ["unsigned", "rsa2048", "p256", "ed25519", "p256_fullkey", "p256_next"] {
            let image = [UInt8](hex: try #require(vectors.images[name]?.hex))
            #expect(try running(image)?.hasSuffix(" active") == true, "\(name)")
        }
        for bad in vectors.badImages where ["bit_in_body", "version_patched", "truncated"].contains(bad.name)
        {
            #expect(try running([UInt8](hex: bad.hex)) == "0.0 1.0.0 confirmed active", "\(bad.name)")
        }
    }

    @Test func `are requests that are answered as they say`() throws {
        let vectors = try SMPVectors.read()
        var bench = try SMPBench {
            $0.server.hasDefiniteLengths = true
            $0.server.checksUpload = true
            $0.bootloader.preventsDowngrade = true
        }
        for (request, answer) in [
            ("echo_v2", "rsp_echo"), ("bootloader_v2", "rsp_bootloader"),
            ("bootloader_mode_v2", "rsp_bootloader_mode"),
        ] {
            let answers = bench.answers(to: try vectors.frame(request).bytes)
            let expected = try vectors.frame(answer).hex
            #expect(answers.map(\.bytes.hex) == [expected], "\(request)")
        }
        for offset in [0, 76, 152, 228, 304, 380, 456] {
            let next = offset == 456 ? 483 : offset + 76
            let answers = bench.answers(to: try vectors.frame("upload_off\(offset)").bytes)
            let expected = try vectors.frame("upload_off\(next)_ok").hex
            #expect(answers.map(\.bytes.hex) == [expected], "\(offset)")
        }
        #expect(bench.state().last == "0.1 1.2.3.4")
        // That image's hash is the one in the requests for a test.
        let test = bench.answers(to: try vectors.frame("test_v2").bytes).first?.map
        #expect(SMPBench.lines(test).last == "0.1 1.2.3.4 pending")
        let reset = bench.answers(to: try vectors.frame("reset_v2").bytes)
        let expected = try vectors.frame("rsp_reset").hex
        #expect(reset.map(\.bytes.hex) == [expected])
        bench.connect()
        #expect(bench.state().first == "0.0 1.2.3.4 active")
        _ = bench.answers(to: try vectors.frame("confirm_running_v1").bytes)
        #expect(bench.state().first == "0.0 1.2.3.4 confirmed active")
        let erase = bench.answers(to: try vectors.frame("erase_slot1_v1").bytes)
        #expect(erase.first?.map == [:])
        let settings = bench.answers(to: try vectors.frame("settings_read_v2").bytes)
        #expect(settings.first?.map == ["rc": .number(8)])
    }
}
