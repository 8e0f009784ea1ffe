import ByteCoding
import Digests
import SimulatedDevice
import TestSupport
import Testing

/// A request to a fresh device and its answer.
struct RequestVector: CustomTestStringConvertible, Sendable {
    let request: String
    let answer: String?
    let testDescription: String

    init(_ testDescription: String, _ request: String, _ answer: String?) {
        self.testDescription = testDescription
        self.request = request
        self.answer = answer
    }

    static let fresh = [
        RequestVector("protocol version", "00", "600002"),
        RequestVector("MTU", "07", "600702"),
        RequestVector("ping", "0901", "600902"),
        RequestVector("hardware version", "0a", "600a02"),
        RequestVector("firmware version", "0b00", "600b02"),
        RequestVector("unknown opcode", "05", "600502"),
        RequestVector("response marker", "60", "606002"),
        RequestVector("packet on the Control Point", "0801020304", nil),
        RequestVector("nothing at all", "", nil),
        RequestVector("PRN", "020c00", "600201"),
        RequestVector("PRN without its count", "02", "600201"),
        RequestVector("PRN with four bytes", "020c000000", "600201"),
        RequestVector("Select command", "0601", "600601000200000000000000000000"),
        RequestVector("Select data", "0602", "600601001000000000000000000000"),
        RequestVector("Select unknown", "0603", "600605"),
        RequestVector("Select without a type", "06", "600605"),
        RequestVector("CRC", "03", "6003010000000000000000"),
        RequestVector("Execute before anything", "04", "600405"),
        RequestVector("Create unknown", "010300100000", "600105"),
        RequestVector("Create command of size 0", "010100000000", "600103"),
        RequestVector("Create command without a size", "0101", "600103"),
        RequestVector("Create command of 512", "010100020000", "600101"),
        RequestVector("Create command of 513", "010101020000", "600104"),
        RequestVector("Create command of 4 GB", "0101ffffffff", "600104"),
        RequestVector("Create data without init", "010200100000", "600108"),
        RequestVector("Create data of size 0 without init", "010200000000", "600108"),
        RequestVector("Abort", "0c", nil),
    ]
}

@Suite struct `A secure bootloader` {
    @Test(
        arguments: [BootloaderPersonality.sdk15_3, .sdk16_0, .sdk17_1, .sdk17_1SavingProgress],
        RequestVector.fresh)
    func `answers each request on a fresh device`(
        _ personality: BootloaderPersonality, _ vector: RequestVector
    ) {
        var bench = BootloaderBench(personality)
        #expect(bench.ask(vector.request) == vector.answer)
    }

    @Test func `speaks the golden conversation without PRN`() {
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

    @Test func `speaks the golden conversation with a PRN after 12 packets`() {
        var bench = BootloaderBench(key: GoldenUpdate.key)
        #expect(bench.ask("020c00") == "600201")
        #expect(bench.install(GoldenUpdate.signed) == "600401")
        #expect(bench.ask("010200100000") == "600101")
        for packet in 0..<12 {
            let answer = bench.send(GoldenUpdate.image[packet * 244..<(packet + 1) * 244])
            #expect(answer == (packet == 11 ? "600301700b00004ac34ab1" : nil))
        }
    }

    @Test func `takes CRC and Execute for wrong after an unknown type, until a valid Select`() {
        var bench = BootloaderBench()
        #expect(bench.ask("0107") == "600105")
        #expect(bench.ask("03") == "600305")
        #expect(bench.ask("04") == "600405")
        #expect(bench.ask("0601") != nil)
        #expect(bench.ask("03") == "6003010000000000000000")
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

    @Test func `never traps on any short request, in any state`() {
        for prepared in [false, true] {
            var bench = BootloaderBench()
            if prepared { _ = bench.install(InitRecipe().packet) }
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
