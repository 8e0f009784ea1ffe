import Simulation
import TestSupport
import Testing

/// An init packet with one error, and the answer to its Execute.
struct InitVector: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let answer: String
    let packet: [UInt8]
    let settings: @Sendable (inout BootloaderSettings) -> Void

    init(
        _ testDescription: String, _ answer: String, _ change: (inout InitRecipe) -> Void,
        _ settings: @escaping @Sendable (inout BootloaderSettings) -> Void = { _ in }
    ) {
        self.testDescription = testDescription
        self.answer = answer
        self.settings = settings
        packet = InitRecipe(change).packet
    }

    /// To a device without a key.
    static let checks = [
        InitVector("a good one", "600401") { _ in },
        InitVector("type missing", "60040b04") { $0.type = nil },
        InitVector("external application", "60040b04") { kind(&$0, 4) },
        InitVector("unknown type", "60040b04") { $0.type = 9 },
        InitVector("hash type 2", "60040b09") { $0.hashType = 2 },
        InitVector("hash type before hardware", "60040b09") {
            $0.hashType = 0
            $0.hardware = nil
        },
        InitVector("hardware missing", "60040b04") { $0.hardware = nil },
        InitVector("hardware 51", "60040b06") { $0.hardware = 51 },
        InitVector("hardware before SoftDevice", "60040b06") {
            $0.hardware = 51
            $0.softDevices = [1]
        },
        InitVector("no SoftDevice listed", "60040b07") { $0.softDevices = [] },
        InitVector("another SoftDevice", "60040b07") { $0.softDevices = [0x98] },
        InitVector("the SoftDevice second", "600401") { $0.softDevices = [0x98, 0x100] },
        InitVector("0 alone", "600401") { $0.softDevices = [0] },
        InitVector("0 and the SoftDevice", "60040b07") { $0.softDevices = [0, 0x100] },
        InitVector("any SoftDevice is not a wildcard", "60040b07") { $0.softDevices = [0xFFFE] },
        InitVector("0 for a SoftDevice", "60040b07") { kind(&$0, 1, list: [0]) },
        InitVector("0 for a bootloader", "600401") { kind(&$0, 2, list: [0, 5]) },
        InitVector("0 for both", "600401") { kind(&$0, 3, list: [0]) },
        InitVector("a list without SoftDevice", "60040b07", { _ in }, { $0.softDevice = nil }),
        InitVector("no list without SoftDevice", "600401", { $0.softDevices = [] }, { $0.softDevice = nil }),
        InitVector("0 without SoftDevice", "600401", { $0.softDevices = [0, 1] }, { $0.softDevice = nil }),
        InitVector("version missing", "60040b04") { $0.version = nil },
        InitVector("the same version", "600401", { _ in }, { $0.applicationVersion = 1 }),
        InitVector("an older version", "60040b05", { _ in }, { $0.applicationVersion = 2 }),
        InitVector("the same bootloader", "60040b05", { kind(&$0, 2) }, { $0.bootloaderVersion = 1 }),
        InitVector("a newer bootloader", "600401", { kind(&$0, 2) }, { $0.applicationVersion = 9 }),
        InitVector("a SoftDevice without version", "600401") {
            kind(&$0, 1)
            $0.version = nil
        },
        InitVector("a SoftDevice's version against the application's", "60040b05", { kind(&$0, 1) }) {
            $0.applicationVersion = 2
        },
        InitVector("no bytes", "60040b04") { $0.applicationSize = 0 },
        InitVector("the size of another type", "60040b04") {
            $0.softDeviceSize = 9000
            $0.applicationSize = 0
        },
        InitVector("both with one part empty", "600401") {
            kind(&$0, 3)
            $0.softDeviceSize = 0
        },
        InitVector("a large bootloader", "600404") {
            kind(&$0, 2)
            $0.bootloaderSize = 0x6001
        },
        InitVector("the largest application", "600401") { $0.applicationSize = 0x75000 - 0x26000 },
        InitVector("no room", "600404") { $0.applicationSize = 0x75001 - 0x26000 },
        InitVector("4 GB", "600404") { $0.applicationSize = 0xFFFF_FFFF },
        InitVector("unsigned bootloader", "60040b08") {
            kind(&$0, 2)
            $0.signature = nil
        },
        InitVector("wrong signature type on a bootloader", "60040b0b") {
            kind(&$0, 2)
            $0.signature?.type = 1
        },
        InitVector("short signature on a bootloader", "60040a") {
            kind(&$0, 2)
            $0.signature?.bytes = []
        },
        InitVector("any signature on an application", "600401") { $0.signature = (7, [1]) },
        InitVector("debug makes no difference", "60040b06") {
            $0.hardware = 51
            $0.isDebug = true
        },
        InitVector("16 SoftDevices", "600401") { $0.softDevices = Array(0xF1...0x100) },
        InitVector("17 SoftDevices", "600405") { $0.softDevices = Array(0xF1...0x101) },
        InitVector("3 boot validations", "600401") { $0.validations = [1, 1, 1] },
        InitVector("4 boot validations", "600405") { $0.validations = [1, 1, 1, 1] },
        InitVector("a hash of 33 bytes", "600405") { $0.hash.append(0) },
        InitVector("a signature of 65 bytes", "600405") {
            $0.signature = (0, [UInt8](repeating: 1, count: 65))
        },
        InitVector("a field after init", "600405") { $0.afterInit = InitRecipe.scalar(1, 1) },
        InitVector("two inits", "600405") { $0.afterInit = InitRecipe.field(2, $0.initCommand) },
    ]

    /// Another type, with any signature, all of its size fields filled.
    private static func kind(_ recipe: inout InitRecipe, _ type: Int, list: [Int] = [0x100]) {
        recipe.type = type
        recipe.softDevices = list
        recipe.softDeviceSize = 4096
        recipe.bootloaderSize = 4904
        recipe.signature = (0, [UInt8](repeating: 1, count: 64))
    }
}

@Suite struct `An init packet` {
    @Test(arguments: InitVector.checks)
    func `is checked field by field`(_ vector: InitVector) {
        var bench = BootloaderBench(vector.settings)
        #expect(bench.install(vector.packet) == vector.answer)
        #expect(bench.ask("0102" + word(4096)).map { $0 == "600108" } == (vector.answer != "600401"))
    }

    @Test func `must be signed if a key is built in`() {
        func answer(_ change: (inout InitRecipe) -> Void) -> String? {
            var bench = BootloaderBench(key: GoldenUpdate.key)
            return bench.install(InitRecipe(change).packet)
        }
        let signature = [UInt8](GoldenUpdate.signed.suffix(64))
        #expect(answer { _ in } == "60040b08")
        #expect(answer { $0.signature = (1, signature) } == "60040b0b")
        #expect(answer { $0.signature = (0, [UInt8](signature.dropLast())) } == "60040a")
        #expect(answer { $0.signature = (0, signature) } == "600405")
        // The signature is checked first: everything else of this packet is wrong.
        #expect(answer { $0.hashType = 0 } == "60040b08")
    }

    @Test func `is signed over init alone, halves with the last byte first`() {
        var bench = BootloaderBench(key: GoldenUpdate.key)
        #expect(bench.install(GoldenUpdate.signed) == "600401")
        let halves = GoldenUpdate.signed.suffix(64)
        let swapped = halves.prefix(32).reversed() + halves.suffix(32).reversed()
        #expect(bench.install(GoldenUpdate.signed.dropLast(64) + swapped) == "600405")
    }

    @Test func `is refused with every flipped byte and at every prefix, and never traps`() {
        let good = GoldenUpdate.signed
        for index in good.indices {
            var flipped = good
            flipped[index] ^= 0xFF
            var bench = BootloaderBench(key: GoldenUpdate.key)
            #expect(bench.install(flipped) != "600401")
            if index > 0 { #expect(bench.install(Array(good[..<index])) != "600401") }
        }
    }

    @Test func `must be of one kind, and whole`() {
        let command = GoldenUpdate.unsigned
        let signed = GoldenUpdate.signed
        for packet in [
            command + signed, signed + command, command + command, [0x0A, 0x00], [0x12, 0x00], [0x18, 0x01],
        ] {
            var bench = BootloaderBench()
            #expect(bench.install(packet) == "600405")
        }
    }

    @Test func `is discarded if it fails from 15.3 on; an incomplete one stays`() {
        var bench = BootloaderBench(.sdk15_3)
        #expect(bench.install(InitRecipe { $0.hardware = 51 }.packet) == "60040b06")
        #expect(bench.ask("0601") == "600601000200000000000000000000")
        #expect(bench.ask("04") == "600405")
        let packet = InitRecipe().packet
        _ = bench.ask("0101" + word(packet.count))
        bench.send(packet.dropLast())
        #expect(bench.ask("04") == "600408")
        bench.send(packet.suffix(1))
        #expect(bench.ask("04") == "600401")
        #expect(bench.ask("04") == "600401")
    }

    @Test func `with an unknown boot validation fails at the very end`() {
        let image = GoldenUpdate.image
        var bench = BootloaderBench()
        #expect(bench.install(InitRecipe(image) { $0.validations = [4] }.packet) == "600401")
        _ = bench.bring(image, object: 0)
        _ = bench.ask("04")
        _ = bench.bring(image, object: 1)
        #expect(bench.ask("04") == "600405")
        #expect(bench.hasReset)
    }

    @Test func `of a stricter or laxer bootloader is checked by its version rule`() {
        for (rule, stored, answer) in [
            (SecurePersonality.VersionRule.newer, 1, "60040b05"), (.newer, 0, "600401"),
            (.anything, 9, "600401"),
        ] {
            var personality = SecurePersonality.sdk17_1
            personality.versionRule = rule
            var bench = BootloaderBench(personality) { $0.applicationVersion = UInt32(stored) }
            #expect(bench.install(InitRecipe().packet) == answer)
        }
    }

    @Test func `for a bootloader raises the bootloader's version once its image is verified`() {
        let image = GoldenUpdate.pattern(4096)
        var bench = BootloaderBench { $0.applicationSize = 1024 }
        let recipe = InitRecipe(image) {
            $0.type = 2
            $0.bootloaderSize = 4096
            $0.signature = (0, [UInt8](repeating: 1, count: 64))
        }
        #expect(bench.install(recipe.packet) == "600401")
        _ = bench.bring(image, object: 0)
        #expect(bench.ask("04") == "600401")
        #expect(bench.bootloader.reset(at: .seconds(1)).program == .application)
        #expect(bench.bootloader.settings.bootloaderVersion == 1)
        #expect(bench.install(recipe.packet) == "60040b05")
    }

    /// A SoftDevice of four pages with the id 0x117, an S132 7.2.1.
    static func softDevice(magic: UInt8) -> [UInt8] {
        var image = [UInt8](repeating: 0, count: 4 * 4096)
        image.replaceSubrange(0x2004..<0x200E, with: [magic, 0xE5, 0xB1, 0x51, 0, 0x50, 0, 0, 0x17, 0x01])
        return image
    }

    @Test(arguments: [(UInt8(0xDB), "600401"), (0xDC, "600405")])
    func `for a SoftDevice needs its magic, and leaves ten seconds for a second part`(
        _ magic: UInt8, _ answer: String
    ) {
        let image = Self.softDevice(magic: magic)
        var bench = BootloaderBench {
            $0.applicationSize = 1024
            $0.softDevice = 0x101
        }
        let recipe = InitRecipe(image) {
            $0.type = 1
            $0.softDevices = [0x101]
            $0.softDeviceSize = image.count
            $0.signature = (0, [UInt8](repeating: 1, count: 64))
        }
        #expect(bench.install(recipe.packet) == "600401")
        for object in 0..<4 {
            _ = bench.bring(image, object: object)
            #expect(bench.ask("04") == (object == 3 ? answer : "600401"))
        }
        let restart = bench.bootloader.reset(at: .seconds(1))
        let isNew = answer == "600401"
        #expect(restart.program == (isNew ? .bootloader : .application))
        #expect(bench.bootloader.settings.softDevice == (isNew ? 0x117 : 0x101))
        #expect(bench.bootloader.inactivityDeadline == .seconds(isNew ? 11 : 121))
    }
}
