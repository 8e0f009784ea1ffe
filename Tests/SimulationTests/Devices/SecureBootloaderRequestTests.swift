import Bytes
import Simulation
import TestSupport
import Testing

/// A request to a fresh device and its answer, by generation.
struct RequestVector: CustomTestStringConvertible, Sendable {
    let request: String
    let testDescription: String
    private let answers: (old: String?, first: String?, now: String?)

    /// The answer from SDK 15.3 on; that of SDK 12 to 14, and of 15.0, where they differ.
    init(_ testDescription: String, _ request: String, _ now: String?, old: String?, first: String?) {
        self.testDescription = testDescription
        self.request = request
        answers = (old, first, now)
    }

    init(_ testDescription: String, _ request: String, _ answer: String?, old: String?) {
        self.init(testDescription, request, answer, old: old, first: answer)
    }

    init(_ testDescription: String, _ request: String, _ answer: String?) {
        self.init(testDescription, request, answer, old: answer, first: answer)
    }

    func answer(of personality: SecurePersonality) -> String? {
        switch personality {
        case .sdk12_3, .sdk13_1, .sdk14_2: answers.old
        case .sdk15_0: answers.first
        default: answers.now
        }
    }

    static let fresh = [
        RequestVector("protocol version", "00", "600002", old: "600003", first: "600001"),
        RequestVector("MTU", "07", "600702", old: "600703", first: "600701"),
        RequestVector("ping", "0901", "600902", old: "600903", first: "600901"),
        RequestVector("hardware version", "0a", "600a02", old: "600a03", first: "600a01"),
        RequestVector("firmware version", "0b00", "600b02", old: "600b03", first: "600b01"),
        RequestVector("unknown opcode", "05", "600502", old: "600503"),
        RequestVector("response marker", "60", "606002", old: "606003"),
        RequestVector("packet on the Control Point", "0801020304", nil, old: "600803"),
        RequestVector("nothing at all", "", nil),
        RequestVector("PRN", "020c00", "600201"),
        RequestVector("PRN without its count", "02", "600201", old: "600203"),
        RequestVector("PRN with four bytes", "020c000000", "600201", old: "600203"),
        RequestVector(
            "Select command", "0601", "600601000200000000000000000000",
            old: "600601000100000000000000000000", first: "600601000100000000000000000000"),
        RequestVector("Select data", "0602", "600601001000000000000000000000"),
        RequestVector("Select unknown", "0603", "600605", old: "600607"),
        RequestVector("Select without a type", "06", "600605", old: "600603"),
        RequestVector("CRC", "03", "6003010000000000000000"),
        RequestVector("Execute before anything", "04", "600405"),
        RequestVector("Create unknown", "010300100000", "600105", old: "600107"),
        RequestVector("Create command of size 0", "010100000000", "600103"),
        RequestVector("Create command without a size", "0101", "600103"),
        RequestVector("Create command of 256", "010100010000", "600101"),
        RequestVector("Create command of 512", "010100020000", "600101", old: "600104", first: "600104"),
        RequestVector("Create command of 513", "010101020000", "600104"),
        RequestVector("Create command of 4 GB", "0101ffffffff", "600104"),
        RequestVector("Create data without init", "010200100000", "600108"),
        RequestVector("Create data of size 0 without init", "010200000000", "600108", old: "600103"),
        RequestVector("Create data of odd size without init", "010201000000", "600108", old: "600103"),
        RequestVector("Create data of two pages without init", "010200200000", "600108", old: "600104"),
        RequestVector("Abort", "0c", nil, old: "600c03"),
    ]
}

@Suite struct `A secure bootloader` {
    static let personalities = SecurePersonality.stock + [.sdk17_1SavingProgress]

    @Test(arguments: personalities, RequestVector.fresh)
    func `answers each request on a fresh device`(
        _ personality: SecurePersonality, _ vector: RequestVector
    ) {
        var bench = BootloaderBench(personality)
        #expect(bench.ask(vector.request) == vector.answer(of: personality))
    }

    @Test(arguments: personalities)
    func `installs the golden update, whatever its flash timing`(_ personality: SecurePersonality) {
        for timing in [FlashTiming.instant, .stock] {
            var bench = BootloaderBench(personality, timing: timing, key: GoldenUpdate.key) {
                $0.applicationSize = 1024
            }
            #expect(bench.install(GoldenUpdate.signed) == "600401")
            #expect(bench.update(GoldenUpdate.image) == "600401")
            #expect(bench.hasReset)
            let restart = bench.bootloader.reset(at: bench.now + .seconds(1))
            #expect(restart.program == .application)
            #expect(restart.resets == (personality.waitsForFlash ? 2 : 1))
            #expect(bench.bootloader.applicationImage == GoldenUpdate.image)
            #expect(bench.bootloader.settings.applicationVersion == 1)
        }
    }

    @Test func `plays the golden conversation without PRN`() {
        var bench = BootloaderBench(key: GoldenUpdate.key)
        let image = GoldenUpdate.image
        #expect(bench.ask("020000") == "600201")
        #expect(bench.ask("0601") == "600601000200000000000000000000")
        #expect(bench.ask("01018c000000") == "600101")
        bench.send(GoldenUpdate.signed)
        #expect(bench.ask("03") == "6003018c000000901b9245")
        #expect(bench.ask("04") == "600401")
        #expect(bench.ask("0602") == "600601001000000000000000000000")
        #expect(bench.ask("010200100000") == "600101")
        bench.stream(image[..<4096])
        #expect(bench.ask("03") == "6003010010000007f965d4")
        #expect(bench.ask("04") == "600401")
        #expect(bench.ask("010204000000") == "600101")
        bench.send(image[4096...])
        #expect(bench.ask("03") == "6003010410000068522e43")
        #expect(bench.ask("04") == "600401")
        #expect(bench.hasReset)
        let restart = bench.bootloader.reset(at: bench.now + .milliseconds(200))
        #expect(restart.program == .application)
        #expect(bench.bootloader.applicationImage == image)
        #expect(bench.bootloader.settings.applicationVersion == 1)
    }

    @Test func `plays the golden conversation with a PRN after 12 packets`() {
        var bench = BootloaderBench(key: GoldenUpdate.key)
        #expect(bench.ask("020c00") == "600201")
        #expect(bench.install(GoldenUpdate.signed) == "600401")
        #expect(bench.ask("010200100000") == "600101")
        for packet in 0..<12 {
            let answer = bench.send(GoldenUpdate.image[packet * 244..<(packet + 1) * 244])
            #expect(answer == (packet == 11 ? "600301700b00004ac34ab1" : nil))
        }
    }

    @Test func `keeps the current object at an unknown type on SDK 14`() {
        var bench = BootloaderBench(.sdk14_2)
        #expect(bench.install(Signed.packet { _ in }) == "600401")
        #expect(bench.ask("0607") == "600607")
        #expect(bench.ask("04") == "600401")
        #expect(bench.ask("010700100000") == "600107")
        #expect(bench.ask("03")?.hasPrefix("600301") == true)
    }

    @Test(arguments: [SecurePersonality.sdk15_0, .sdk17_1])
    func `refuses CRC and Execute after an unknown type, until a valid Select`(
        _ personality: SecurePersonality
    ) {
        var bench = BootloaderBench(personality)
        #expect(bench.ask("0107") == "600105")
        #expect(bench.ask("03") == "600305")
        #expect(bench.ask("04") == "600405")
        #expect(bench.ask("0601") != nil)
        #expect(bench.ask("03") == "6003010000000000000000")
    }

    @Test func `resets on SDK 14 after two minutes without a Create or Execute that was carried out`() {
        var bench = BootloaderBench(.sdk14_2)
        for request in ["0101" + word(4), "0101" + word(4)] {
            bench.now += .seconds(119)
            #expect(bench.ask(request) == "600101")
        }
        bench.now += .seconds(119)
        #expect(bench.ask("0101ffffffff") == "600104")
        bench.now += .seconds(1)
        #expect(bench.ask("0601") == nil)
        #expect(bench.hasReset)
    }

    @Test func `resets after two minutes without a data Execute or a Create(command)`() {
        var bench = BootloaderBench()
        bench.now = .seconds(119)
        #expect(bench.ask("0101ffffffff") == "600104")
        bench.now = .seconds(238)
        #expect(bench.ask("0601") != nil)
        bench.now = .seconds(239)
        #expect(bench.ask("0601") == nil)
        #expect(bench.hasReset)
    }

    @Test func `ends the link before the reset of an Abort from SDK 16 on`() {
        var new = BootloaderBench(.sdk16_0).bootloader
        var old = BootloaderBench(.sdk15_3).bootloader
        #expect(
            new.controlPoint([0x0C], at: .zero)
                == [.disconnect(at: .zero), .reset(at: .milliseconds(200))])
        #expect(old.controlPoint([0x0C], at: .zero) == [.reset(at: .zero)])
    }

    @Test(arguments: personalities)
    func `never traps on any short request, in any state`(_ personality: SecurePersonality) {
        for prepared in [false, true] {
            var bench = BootloaderBench(personality)
            if prepared {
                _ = bench.install(Signed.packet { _ in })
                _ = bench.ask("0102" + word(4096))
            }
            for opcode in 0...255 {
                for tail in ["", "01", "02", "02ffffffff", "02ff", "ffffffffffffffffff"] {
                    var copy = bench.bootloader
                    _ = copy.controlPoint([UInt8(opcode)] + hex(tail), at: .zero)
                    _ = copy.packet([UInt8](repeating: 1, count: 300), at: .zero)
                    copy.disconnect(at: .zero)
                    _ = copy.reset(at: .zero)
                }
            }
        }
    }
}
