import TestSupport
import Testing

@testable import Simulation

/// A client error, and the rules that it breaks.
struct RuleVector<Bench: Sendable>: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let act: @Sendable (inout Bench) -> Void
    let rules: [String]

    init(_ name: String, _ rules: String..., act: @escaping @Sendable (inout Bench) -> Void) {
        testDescription = name
        self.rules = rules
        self.act = act
    }
}

/// Sends init packet and first object, as fast as flash allows.
private func fill(_ bench: inout BootloaderBench) {
    _ = bench.install(GoldenUpdate.signed)
    bench.now += .seconds(1)
    _ = bench.ask("0102" + word(4096))
    bench.now += .seconds(1)
    bench.stream(GoldenUpdate.image[..<4096], each: .milliseconds(15))
}

@Suite struct `The rules of Secure DFU` {
    static let vectors: [RuleVector<BootloaderBench>] = [
        RuleVector("an unknown request", "secure-unknown-request") { _ = $0.ask("42") },
        RuleVector("a short Create", "secure-request-of-wrong-length", "secure-empty-object") {
            _ = $0.ask("0101")
        },
        RuleVector("object 3", "secure-unknown-object") { _ = $0.ask("0603") },
        RuleVector("an empty init packet", "secure-empty-object") { _ = $0.ask("0101" + word(0)) },
        RuleVector("a long init packet", "secure-init-packet-too-long") { _ = $0.ask("0101" + word(513)) },
        RuleVector("data before an init packet", "secure-data-before-init", "secure-data-before-init") {
            _ = $0.ask("0102" + word(4096))
            _ = $0.send([1, 2, 3, 4])
        },
        RuleVector("a packet before Create", "secure-data-before-create") { _ = $0.send([1, 2, 3, 4]) },
        RuleVector("a packet past the end", "secure-data-beyond-object") {
            _ = $0.ask("0101" + word(3))
            _ = $0.send([1, 2, 3, 4])
        },
        RuleVector("Execute of half an init packet", "secure-execute-before-all-data") {
            _ = $0.ask("0101" + word(8))
            _ = $0.send([1, 2, 3, 4])
            _ = $0.ask("04")
        },
        RuleVector("Execute against the answer to Get CRC", "secure-checksum-ignored") {
            _ = $0.ask("0101" + word(8))
            _ = $0.send([1, 2, 3, 4])
            _ = $0.ask("03")
            _ = $0.ask("04")
        },
        RuleVector("half a page", "secure-object-not-a-page") {
            _ = $0.install(GoldenUpdate.signed)
            _ = $0.ask("0102" + word(100))
        },
        RuleVector("two pages at once", "secure-object-too-long") {
            _ = $0.install(GoldenUpdate.signed)
            _ = $0.ask("0102" + word(8192))
        },
        RuleVector("a page too much", "secure-object-beyond-image") {
            fill(&$0)
            _ = $0.ask("04")
            _ = $0.ask("0102" + word(4096))
        },
        RuleVector("a request while Execute waits for flash", "secure-request-before-answer") {
            fill(&$0)
            _ = $0.bootloader.controlPoint([4], at: $0.now)
            _ = $0.bootloader.controlPoint([3], at: $0.now)
        },
        RuleVector(
            "data while Execute waits for flash", "secure-data-before-answer", "secure-data-beyond-object"
        ) {
            fill(&$0)
            _ = $0.bootloader.controlPoint([4], at: $0.now)
            _ = $0.bootloader.packet([1], at: $0.now)
        },
        RuleVector("Execute on another link, to find out") {
            _ = $0.install(GoldenUpdate.signed)
            _ = $0.ask("0102" + word(4096))
            $0.disconnect()
            _ = $0.ask("04")
        },
        RuleVector("nothing wrong") { _ = $0.install(GoldenUpdate.signed) },
    ]

    @Test(arguments: vectors)
    func `are noted where they are broken`(_ vector: RuleVector<BootloaderBench>) {
        var bench = BootloaderBench(.sdk17_1, timing: .stock, key: GoldenUpdate.key)
        vector.act(&bench)
        #expect(bench.bootloader.statistics.brokenRules.map(\.id) == vector.rules)
    }
}

@Suite struct `The rules of Legacy DFU` {
    static let vectors: [RuleVector<LegacyBench>] = [
        RuleVector("an unknown request", "legacy-unknown-request") { $0.ask("42") },
        RuleVector("Start without a mode", "legacy-request-of-wrong-length") { $0.ask("01") },
        RuleVector("receipts without a number", "legacy-request-of-wrong-length") { $0.ask("08") },
        RuleVector("data out of the blue", "legacy-data-without-request") { $0.send([1, 2, 3, 4]) },
        RuleVector("no sizes", "legacy-malformed-start") { _ = $0.start(4, [0]) },
        RuleVector("Start again", "legacy-start-again") {
            _ = $0.start(4, [0, 0, 4100])
            _ = $0.start(4, [0, 0, 4100])
        },
        RuleVector("Start on another link, to find out") {
            _ = $0.start(4, [0, 0, 4100])
            $0.bootloader.disconnect(at: $0.now)
            $0.bootloader.connect(at: $0.now)
            _ = $0.start(4, [0, 0, 4100])
        },
        RuleVector("an end without an init packet", "legacy-init-packet-out-of-order") {
            _ = $0.start(4, [0, 0, 4100])
            $0.ask("0201")
        },
        RuleVector("an image without an init packet", "legacy-data-before-init") {
            _ = $0.start(4, [0, 0, 4100])
            $0.ask("03")
            $0.send([1, 2, 3, 4])
        },
        RuleVector("an init packet while pages are erased", "legacy-data-before-answer") {
            _ = $0.bootloader.controlPoint([1, 4], at: $0.now)
            _ = $0.bootloader.packet(hex(word(0) + word(0) + word(4100)), at: $0.now)
            _ = $0.bootloader.controlPoint([2, 0], at: $0.now)
            _ = $0.bootloader.packet([1, 2, 3, 4], at: $0.now)
        },
        RuleVector("half a word", "legacy-packet-not-whole-words") {
            _ = $0.prepare()
            $0.send([1, 2])
        },
        RuleVector("a word too much", "legacy-data-beyond-image") {
            _ = $0.prepare()
            _ = $0.stream(LegacyBench.image + [1, 2, 3, 4], each: .milliseconds(100))
        },
        RuleVector("Validate too early", "legacy-validate-before-all-data") {
            _ = $0.prepare()
            $0.ask("04")
        },
        RuleVector("Activate too early", "legacy-activate-before-validate") {
            _ = $0.prepare()
            $0.ask("05")
        },
        RuleVector("nothing wrong") {
            _ = $0.prepare()
            _ = $0.stream(LegacyBench.image, each: .milliseconds(100))
            $0.ask("04")
            $0.ask("05")
        },
    ]

    @Test(arguments: vectors)
    func `are noted where they are broken`(_ vector: RuleVector<LegacyBench>) {
        var bench = LegacyBench(timing: .stock)
        vector.act(&bench)
        #expect(bench.bootloader.statistics.brokenRules.map(\.id) == vector.rules)
    }
}

@Suite struct `The rules of the Attribute Protocol` {
    private static let table = AttributeTable.bootloader(name: "A", maximumMTU: 247)

    @Test(
        arguments: [
            (["021700", "021700"], "mtu-exchanged-again"),
            (["021600"], "mtu-too-small"),
            (["52" + "0900" + String(repeating: "00", count: 30)], "packet-beyond-mtu"),
            (["0a6300"], "invalid-handle"), (["526300"], "invalid-handle"), (["0a"], "malformed-packet"),
            (["12030041"], "request-not-permitted"), (["52030041"], "command-not-permitted"),
            (["12070001"], "value-of-wrong-length"), (["12060001"], "write-before-subscription"),
            (["1207000200"], "subscription-not-offered"),
        ] as [([String], String)])
    func `are noted where they are broken`(_ packets: [String], _ rule: String) {
        var server = AttributeServer(Self.table, maximumMTU: 247)
        for packet in packets { _ = server.receive(hex(packet)) }
        #expect(server.brokenRule?.broken.id == rule)
    }

    @Test(arguments: [
        "02f700", "0a0300", "100100ffff0028", "100a00ffff0028", "1207000100", "0100000000", "d2",
    ])
    func `are kept by ordinary packets`(_ packet: String) {
        var server = AttributeServer(Self.table, maximumMTU: 247)
        _ = server.receive(hex(packet))
        #expect(server.brokenRule == nil)
    }
}

@Suite struct `Every rule` {
    @Test func `has a unique name in kebab case, a text, and a source`() {
        let rules = BrokenRule.all
        #expect(Set(rules.map(\.id)).count == rules.count)
        for rule in rules {
            #expect(rule.id.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil, "\(rule.id)")
            #expect(!rule.text.isEmpty && !rule.text.hasSuffix("."), "\(rule.id)")
        }
    }

    @Test func `refers to a heading that exists`() throws {
        for rule in BrokenRule.all where rule.source.contains(".md") {
            let parts = rule.source.split(separator: ", ").map(String.init)
            let page = try Samples.file(at: Samples.root + "/docs/protocols/" + parts[0])
            #expect(String(decoding: page, as: UTF8.self).contains("## \(parts[1])\n"), "\(rule.source)")
        }
    }
}
