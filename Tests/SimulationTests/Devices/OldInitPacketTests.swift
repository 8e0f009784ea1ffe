import Simulation
import TestSupport
import Testing

/// An init packet of generations before 15.3, and the answer to its Execute: to a device of each without a key.
struct OldInitVector: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let answers: [(personality: SecurePersonality, answer: String)]
    let packet: [UInt8]
    let settings: @Sendable (inout BootloaderSettings) -> Void

    init(
        _ testDescription: String, _ answers: [String], _ change: (inout InitRecipe) -> Void,
        _ settings: @escaping @Sendable (inout BootloaderSettings) -> Void = { _ in }
    ) {
        self.testDescription = testDescription
        self.answers = zip([SecurePersonality.sdk12_3, .sdk14_2, .sdk15_0], answers).map { ($0, $1) }
        self.settings = settings
        packet = Signed.packet(GoldenUpdate.pattern(9000), change)
    }

    private static let taken = "600401"
    private static let failed = "60040a"
    private static let noSoftDevice = [failed, "60040b07", "60040b07"]

    static let all = [
        OldInitVector("a good one", [taken, taken, taken]) { _ in },
        OldInitVector("unsigned, and nothing else right", [failed, "60040b03", "60040b06"]) {
            $0.signature = nil
            $0.hardware = 51
        },
        OldInitVector("unsigned bootloader", [failed, "60040b03", "60040b08"]) {
            kind(&$0, 2)
            $0.signature = nil
        },
        OldInitVector("debug", [failed, failed, taken]) { $0.isDebug = true },
        OldInitVector("debug before hardware", [failed, failed, "60040b06"]) {
            $0.isDebug = true
            $0.hardware = 51
        },
        OldInitVector("hardware before signature", [failed, "60040b06", "60040b0b"]) {
            kind(&$0, 2)
            $0.hardware = 51
            $0.signature?.type = 1
        },
        OldInitVector("hardware missing", [failed, "60040b04", "60040b04"]) { $0.hardware = nil },
        OldInitVector("type missing", [taken, taken, "60040b04"]) { $0.type = nil },
        OldInitVector("unknown type", [failed, "60040b04", "60040b04"]) { $0.type = 9 },
        OldInitVector("hash type 2", [taken, taken, "60040b09"]) { $0.hashType = 2 },
        OldInitVector("no bytes", ["600403", "600403", "60040b04"]) { $0.applicationSize = 0 },
        OldInitVector("both with one part empty", ["600403", "600403", taken]) {
            kind(&$0, 3)
            $0.softDeviceSize = 0
        },
        OldInitVector("no list", [failed, "60040b07", taken]) { $0.softDevices = [] },
        OldInitVector("no list for a SoftDevice", noSoftDevice) { kind(&$0, 1, list: []) },
        OldInitVector("no list for both", [failed, taken, taken]) { kind(&$0, 3, list: []) },
        OldInitVector("another SoftDevice for both", [failed, taken, "60040b07"]) {
            kind(&$0, 3, list: [0x98])
        },
        OldInitVector("0 alone", [failed, "60040b07", taken]) { $0.softDevices = [0] },
        OldInitVector("0 and the SoftDevice", [taken, taken, taken]) { $0.softDevices = [0, 0x100] },
        OldInitVector("0 and another", [failed, "60040b07", taken]) { $0.softDevices = [0, 0x98] },
        OldInitVector("0 for a bootloader", [failed, "60040b07", taken]) { kind(&$0, 2, list: [0]) },
        OldInitVector("no list without SoftDevice", [failed, "60040b07", taken], { $0.softDevices = [] }) {
            $0.softDevice = nil
        },
        OldInitVector("an older version", [failed, "60040b05", "60040b05"], { _ in }) {
            $0.applicationVersion = 2
        },
        OldInitVector("the same bootloader", [failed, "60040b05", "60040b05"], { kind(&$0, 2) }) {
            $0.bootloaderVersion = 1
        },
        OldInitVector("a SoftDevice's version", [taken, taken, "60040b05"], { kind(&$0, 1) }) {
            $0.applicationVersion = 2
        },
        OldInitVector("4 SoftDevices", [taken, taken, taken]) { $0.softDevices = Array(0xFD...0x100) },
        OldInitVector("5 SoftDevices", ["600405", taken, taken]) { $0.softDevices = Array(0xFC...0x100) },
        OldInitVector("17 SoftDevices", ["600405", "600405", "600405"]) {
            $0.softDevices = Array(0xF0...0x100)
        },
        OldInitVector("5 boot validations", [taken, taken, taken]) { $0.validations = [1, 9, 1, 1, 1] },
        OldInitVector("two inits", [taken, taken, taken]) {
            $0.afterInit = InitRecipe.field(2, InitRecipe.scalar(1, 5))
        },
        OldInitVector("wrong signature type", [failed, "60040b0b", taken]) { $0.signature?.type = 1 },
        OldInitVector("short signature", [failed, failed, taken]) { $0.signature?.bytes = [1] },
        OldInitVector("an init command of 128 bytes", ["600405", "600405", "600405"]) {
            kind(&$0, 2)
            $0.validations = [1]
            while $0.initCommand.count < 128 { $0.validations.append(1) }
        },
    ]

    private static func kind(_ recipe: inout InitRecipe, _ type: Int, list: [Int] = [0x100]) {
        recipe.type = type
        recipe.softDevices = list
        recipe.softDeviceSize = 4096
        recipe.bootloaderSize = 4904
    }
}

@Suite struct `An init packet for an old bootloader` {
    @Test(arguments: OldInitVector.all)
    func `is checked in the order of its SDK`(_ vector: OldInitVector) {
        for (personality, answer) in vector.answers {
            var bench = BootloaderBench(personality, vector.settings)
            #expect(bench.install(vector.packet) == answer, "\(personality)")
        }
    }

    @Test func `with both kinds of command is read by its signed half`() {
        for personality in [SecurePersonality.sdk12_3, .sdk14_2, .sdk15_0] {
            var bench = BootloaderBench(personality, key: GoldenUpdate.key)
            #expect(bench.install(InitRecipe().packet + GoldenUpdate.signed) == "600401")
        }
    }

    @Test(arguments: [SecurePersonality.sdk12_3, .sdk14_2, .sdk15_0])
    func `stays after a failure, and fails again`(_ personality: SecurePersonality) {
        var bench = BootloaderBench(personality)
        let packet = Signed.packet { $0.hardware = 51 }
        let answer = bench.install(packet)
        #expect(answer == (personality == .sdk12_3 ? "60040a" : "60040b06"))
        #expect(bench.ask("0601")?.hasPrefix("60060100010000" + word(packet.count)) == true)
        #expect(bench.ask("04") == answer)
    }

    @Test(arguments: [(SecurePersonality.sdk14_2, "600404"), (.sdk15_0, "600401")])
    func `that exceeds the capacity is executed with success the second time on 15.0, without effect`(
        _ personality: SecurePersonality, _ second: String
    ) {
        var bench = BootloaderBench(personality)
        #expect(bench.install(Signed.packet { $0.applicationSize = 0x75001 - 0x26000 }) == "600404")
        #expect(bench.ask("04") == second)
        #expect(bench.ask("0102" + word(4096)) == "600108")
        #expect(bench.install(Signed.packet { $0.hardware = 51 }) == "60040b06")
    }

    @Test(arguments: [(SecurePersonality.sdk12_3, "60040a"), (.sdk14_2, "60040b09")])
    func `with another hash than SHA-256 fails at the last Execute`(
        _ personality: SecurePersonality, _ answer: String
    ) {
        let image = GoldenUpdate.image
        var bench = BootloaderBench(personality)
        #expect(bench.install(Signed.packet(image) { $0.hashType = 4 }) == "600401")
        #expect(bench.update(image) == answer)
        #expect(bench.hasReset)
    }

    @Test(arguments: [
        (SecurePersonality.sdk12_3, "600405"), (.sdk14_2, "60040b0c"), (.sdk15_0, "60040b0c"),
    ])
    func `with another image's hash fails at the last Execute`(
        _ personality: SecurePersonality, _ answer: String
    ) {
        let image = GoldenUpdate.image
        var bench = BootloaderBench(personality) { $0.applicationSize = 1024 }
        #expect(bench.install(Signed.packet(image) { $0.hash[0] ^= 1 }) == "600401")
        #expect(bench.update(image) == answer)
        #expect(bench.bootloader.reset(at: bench.now + .seconds(1)).program == .application)
        #expect(bench.bootloader.settings.applicationSize == 1024)
    }
}
