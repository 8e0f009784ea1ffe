import Bytes
import FoundationEssentials
import Simulation
import TestSupport
import Testing

/// Conversations with receivers as published, step by step.
private struct Vectors: Decodable {
    struct Step: Decodable {
        let op: String
        let value: String?
        let length: Int?
        let source: String?
        let from: Int?
        let bytes: Int?
        let chunk: Int?
    }

    struct Device: Decodable {
        let productHeader: Bool
        let blockBuffer: Int
        let bank1: String?
        let bank2: String?
    }

    struct Case: Decodable {
        let name: String
        let steps: [Step]
        let statuses: [String]
        let memInfoAfter: UInt32
        let device: Device?
        let targetBank: Int?
        let newImageId: UInt8?
        let connections: Int?
        let attErrors: Int?
    }

    struct Group: Decodable { let scenarios: [Case] }

    struct Choice: Decodable {
        let id1: UInt8
        let id2: UInt8
        let receiverOverwritesBank: Int
        let newImageId: UInt8
        let bootloaderPrefersBank: Int
    }

    struct SUOTA: Decodable {
        let receiverScenarios58x: Group
        let receiverScenarios68x: Group
        let bankChoice: [Choice]

        /// With the decoder's key conversion.
        enum CodingKeys: String, CodingKey {
            case receiverScenarios58x = "receiverScenarios58X"
            case receiverScenarios68x = "receiverScenarios68X"
            case bankChoice
        }
    }

    let suota: SUOTA

    static let all: SUOTA? = Samples.vectors("suota.json").flatMap {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try? decoder.decode(Vectors.self, from: Data($0)).suota
    }
}

extension Vectors.Case: CustomTestStringConvertible {
    var testDescription: String { name }
}

@Suite(.enabled(if: Samples.vectors("suota.json") != nil)) struct `The published conversations` {
    private static let cases58x = Vectors.all?.receiverScenarios58x.scenarios ?? []
    private static let cases68x = Vectors.all?.receiverScenarios68x.scenarios ?? []

    private static func source(_ name: String) -> [UInt8] {
        let file = SUOTAImages.file58x
        let upload = SUOTAImages.upload1089
        return switch name {
        case "upload1089", "image_58x": upload
        case "bad_signature": SUOTAImages.withTrailer(SUOTAImages.changed(file, at: 0, [0x70, 0x50]))
        case "too_large": SUOTAImages.withTrailer(SUOTAImages.changed(file, at: 4, hex("c1af0100")))
        case "one_byte_too_long": SUOTAImages.withTrailer(file + [0])
        case "bad_trailer": upload.dropLast() + [(upload.last ?? 0) ^ 1]
        case "upload1061": SUOTAImages.upload1061
        case "with_extension": SUOTAImages.extended
        case "payload_changed":
            SUOTAImages.changed(SUOTAImages.upload1061, at: 100, [SUOTAImages.upload1061[100] ^ 1])
        case "too_large_68x": SUOTAImages.changed(SUOTAImages.upload1061, at: 4, hex("ddaf0300"))
        default: []
        }
    }

    private static func run(_ steps: [Vectors.Step], on bench: inout SUOTABench) throws {
        for step in steps {
            switch step.op {
            case "MEM_DEV": bench.command(try #require(step.value))
            case "GPIO_MAP": bench.write(hex(try #require(step.value)), to: .pinMap)
            case "PATCH_LEN": bench.length(try #require(step.length))
            case "PATCH_DATA":
                let bytes = source(try #require(step.source))
                let from = try #require(step.from)
                let part = bytes[from..<from + (try #require(step.bytes))]
                bench.data(part, chunk: try #require(step.chunk))
            default: Issue.record("unknown step \(step.op)")
            }
        }
    }

    @Test(arguments: cases58x) private func `with a 58x`(_ scenario: Vectors.Case) throws {
        let device = try #require(scenario.device)
        var personality = SUOTAPersonality.da14585
        personality.blockBuffer = device.blockBuffer
        var bench = SUOTABench(personality) {
            $0.first = nil
            if !device.productHeader { $0.productHeader = nil }
        }
        for (place, bank) in zip(personality.banks, [device.bank1, device.bank2]) {
            if let bank { bench.receiver.flash.place(hex(bank), at: place) }
        }
        try Self.run(scenario.steps, on: &bench)
        #expect(bench.statusText == scenario.statuses.joined())
        #expect(bench.receiver.memoryInfo == scenario.memInfoAfter)
        if let bank = scenario.targetBank, let id = scenario.newImageId {
            bench.receiver.flash.advance(to: .seconds(1))
            #expect(bench.header(bank)[3] == id)
            #expect(bench.header(3 - bank)[3] != id)
        }
        let isForbidden = scenario.name.hasPrefix("END")
        #expect(bench.errors.isEmpty != isForbidden || scenario.name == "length zero")
    }

    @Test(arguments: cases68x) private func `with a 68x`(_ scenario: Vectors.Case) throws {
        var bench = SUOTABench(.da14683) { $0.otherLinks = (scenario.connections ?? 1) - 1 }
        try Self.run(scenario.steps, on: &bench)
        #expect(bench.statusText == scenario.statuses.joined())
        #expect(bench.receiver.memoryInfo == scenario.memInfoAfter)
        #expect(bench.refusals == scenario.attErrors)
        #expect(bench.errors == (scenario.name.hasPrefix("END twice") ? [.endTwice] : []))
    }

    @Test func `are all covered`() {
        #expect(Self.cases58x.count == 25)
        #expect(Self.cases68x.count == 10)
    }

    @Test func `select the same banks`() {
        for row in Vectors.all?.bankChoice ?? [] {
            let choice = BankRow(
                row.id1, row.id2, row.receiverOverwritesBank, row.newImageId, row.bootloaderPrefersBank)
            #expect(choice.outcome == choice.wanted)
        }
    }
}
