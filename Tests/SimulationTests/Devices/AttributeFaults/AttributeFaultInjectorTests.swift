import Bytes
import TestSupport
import Testing

@testable import Simulation

/// What a client receives after `request` with `attributeFaults` injected, if the device answers `answer`.
private func heard(_ attributeFaults: Set<AttributeFault>, _ request: String, _ answer: String) -> [String] {
    var injector = AttributeFaultInjector()
    _ = injector.answer([UInt8](hex: "02 f700"), attributeFaults)
    let packets =
        injector.answer([UInt8](hex: request), attributeFaults).map { [$0] }
        ?? injector.reply(with: [UInt8](hex: answer)).packets
    return packets.map { HexText.encode($0) }
}

/// A fault, a request, the correct answer, and what is received instead.
struct AttributeFaultVector: CustomTestStringConvertible, Sendable {
    let attributeFault: AttributeFault
    let request: String
    let answer: String
    let heard: [String]

    init(_ attributeFault: AttributeFault, _ request: String, _ answer: String, _ heard: String...) {
        self.attributeFault = attributeFault
        self.request = request
        self.answer = answer
        self.heard = heard.map { $0.filter { $0 != " " } }
    }

    var testDescription: String { "\(attributeFault), \(request)" }

    private static let services = "10 0100 ffff 0028"
    private static let characteristics = "08 0100 ffff 0328"
    private static let twoServices = "11 06 0100 0700 0018 0800 0a00 0f18"
    private static let twoCharacteristics = "09 07 0c00 1a 0d00 01aa 0f00 0c 1000 02aa"

    static let all = [
        AttributeFaultVector(.mtu(0), "02 f700", "03 f700", "03 0000"),
        AttributeFaultVector(.mtu(.max), "02 f700", "03 f700", "03 ffff"),
        AttributeFaultVector(.shortAnswers, "0a 0300", "0b 0102", "0b"),
        AttributeFaultVector(
            .longAnswers, "0a 0300", "0b 0102", "0b0102" + String(repeating: "00", count: 597)),
        AttributeFaultVector(.entryLength(0), services, twoServices, "11 00 0100 0700 0018 0800 0a00 0f18"),
        AttributeFaultVector(.entryLength(255), "04 0e00 0e00", "05 01 0e00 0229", "05 ff 0e00 0229"),
        AttributeFaultVector(.wrongOpcodes, "0a 0300", "0b 0102", "13 0102"),
        AttributeFaultVector(.wrongOpcodes, "12 0300 01", "13", "0b"),
        AttributeFaultVector(.doubleAnswers, "0a 0300", "0b 0102", "0b 0102", "0b 0102"),
        AttributeFaultVector(.unaskedAnswers, "0a 0300", "0b 0102", "13", "0b 0102"),
        AttributeFaultVector(.foreignErrors, "0a 0300", "0b 0102", "01 08 0300 0e", "0b 0102"),
        AttributeFaultVector(.onlyForeignErrors, "08 0100 ffff 0328", "01 08 0100 0a", "01 0a 0100 0e"),
        AttributeFaultVector(.refusals(0x05), "0a 0300", "0b 0102", "01 0a 0300 05"),
        AttributeFaultVector(.oneEntryAnAnswer, services, twoServices, "11 06 0100 0700 0018"),
        AttributeFaultVector(.equalUUIDs, services, twoServices, "11 06 0100 0700 0018 0800 0a00 0018"),
        AttributeFaultVector(
            .equalUUIDs, characteristics, twoCharacteristics, "09 07 0c00 1a 0d00 01aa 0f00 0c 1000 01aa"),
        AttributeFaultVector(.listHandles(0), services, twoServices, "11 06 0000 0000 0018 0000 0000 0f18"),
        AttributeFaultVector(
            .listHandles(.max), characteristics, twoCharacteristics,
            "09 07 ffff 1a ffff 01aa ffff 0c ffff 02aa"),
        AttributeFaultVector(.manyAttributes, services, twoServices, "11 06 0100 0700 0018 0800 ffff 0f18"),
        AttributeFaultVector(.manyAttributes, "04 feff ffff", "01 04 feff 0a", "05 01 feff 0129 ffff 0129"),
        AttributeFaultVector(.manyServices, "10 ffff ffff 0028", "01 10 ffff 0a", "11 06 ffff ffff ff7f"),
        AttributeFaultVector(
            .endlessValues, "0c 0300 1600", "0d", "0d" + String(repeating: "ff", count: 246)),
        // Only answers are affected.
        AttributeFaultVector(.wrongOpcodes, "0a 0300", "1b 0300 07", "1b 0300 07"),
    ]
}

@Suite struct `A device with injected faults` {
    @Test(arguments: AttributeFaultVector.all)
    func `sends the injected fault, and nothing else`(_ vector: AttributeFaultVector) {
        #expect(heard([vector.attributeFault], vector.request, vector.answer) == vector.heard)
        let honest = heard([], vector.request, vector.answer)
        #expect(honest == [vector.answer.filter { $0 != " " }])
    }

    @Test func `begins its lists again`() {
        var injector = AttributeFaultInjector()
        let first = [UInt8](hex: "11 06 0100 0700 0018")
        #expect(injector.answer([UInt8](hex: "10 0100 ffff 0028"), [.backwards]) == nil)
        #expect(injector.reply(with: first).packets == [first])
        #expect(injector.answer([UInt8](hex: "10 0800 ffff 0028"), [.backwards]) == first)
    }

    @Test func `answers late`() {
        var injector = AttributeFaultInjector()
        _ = injector.answer([0x0A, 3, 0], [.lateAnswers(.seconds(29))])
        #expect(injector.reply(with: [0x0B, 1]).delay == .seconds(29))
        #expect(injector.reply(with: [0x1B, 3, 0, 1]).delay == .zero)
    }

    @Test func `floods with the injected packets, and only with those`() {
        var injector = AttributeFaultInjector()
        #expect(injector.flood() == nil)
        _ = injector.answer([UInt8](hex: "12 0e00 0100"), [.senselessNotifications])
        #expect(injector.flood() == [0x1B, 0x0D, 0x00, 0xEE])
        _ = injector.answer([0x0A, 3, 0], [.indications])
        #expect(injector.flood() == [0x1D, 0xF0, 0xFF, 0xEE])
        _ = injector.answer([0x0A, 3, 0], [.requests])
        #expect(Set((0..<5).compactMap { _ in injector.flood()?.first }) == [0x02, 0x08, 0x0A, 0x20])
    }
}
