import TestSupport
import Testing
import UpdateModel

@testable import Firmware
@testable import Nordic

/// A row of the table by generation (nordic-secure.md, Seen in the wild; init-packet.md, Checks).
struct GenerationRow: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The answers of the bootloaders of SDK 12, 14.2, 15.0, 15.3 and 17.1; nil when they accept.
    let answers: [String?]
    let softDevice: NordicTarget.SoftDevice
    let packet: [UInt8]

    init(
        _ testDescription: String, _ answers: [String?],
        on softDevice: NordicTarget.SoftDevice = .installed(0x100),
        isSigned: Bool = true, _ change: (inout InitRecipe) -> Void
    ) {
        self.testDescription = testDescription
        self.answers = answers
        self.softDevice = softDevice
        packet =
            InitRecipe([UInt8](repeating: 7, count: 64)) { recipe in
                // Without a key to compare with, any signature of the right length is accepted.
                if isSigned { recipe.signature = (0, [UInt8](repeating: 1, count: 64)) }
                change(&recipe)
            }.packet
    }

    static let generations: [BootloaderGeneration] = [.sdk12, .sdk14, .sdk15, .sdk15Minor3, .sdk17]

    static let rows = [
        GenerationRow("in order", [nil, nil, nil, nil, nil]) { _ in },
        GenerationRow("unsigned", ["0A", "0B 03", "0B 08", "0B 08", "0B 08"], isSigned: false) { _ in },
        GenerationRow("debug", ["0A", "0A", nil, nil, nil]) { $0.isDebug = true },
        GenerationRow("debug before hardware", ["0A", "0A", "0B 06", "0B 06", "0B 06"]) {
            $0.isDebug = true
            $0.hardware = 51
        },
        GenerationRow(
            "no signature before the hardware", ["0A", "0B 03", "0B 08", "0B 08", "0B 08"], isSigned: false
        ) {
            $0.hardware = 51
        },
        GenerationRow("hash type", ["0A", "0B 09", "0B 09", "0B 09", "0B 09"]) { $0.hashType = 2 },
        GenerationRow("type missing", [nil, nil, "0B 04", "0B 04", "0B 04"]) {
            $0.type = nil
            // The image's size is judged by the type; without one it cannot be judged.
        },
        GenerationRow("no bytes", ["03", "03", "0B 04", "0B 04", "0B 04"]) { $0.applicationSize = 0 },
        GenerationRow("an older version", ["0A", "0B 05", "0B 05", "0B 05", "0B 05"]) { $0.version = 0 },
        GenerationRow("no list", ["0A", "0B 07", nil, "0B 07", "0B 07"]) { $0.softDevices = [] },
        GenerationRow("0 alone", ["0A", "0B 07", nil, nil, nil]) { $0.softDevices = [0] },
        GenerationRow("0 before the SoftDevice", [nil, nil, nil, "0B 07", "0B 07"]) {
            $0.softDevices = [0, 0x100]
        },
        GenerationRow("another SoftDevice", ["0A", "0B 07", "0B 07", "0B 07", "0B 07"]) {
            $0.softDevices = [0x98]
        },
        GenerationRow("a bootloader for no SoftDevice", ["0A", "0B 07", nil, nil, nil]) {
            Self.kind(&$0, 2, [0])
        },
        GenerationRow("a bootloader with 0 before the SoftDevice", [nil, nil, nil, nil, nil]) {
            Self.kind(&$0, 2, [0, 0x100])
        },
        GenerationRow("a SoftDevice for none", ["0A", "0B 07", "0B 07", "0B 07", "0B 07"]) {
            Self.kind(&$0, 1, [0])
        },
        GenerationRow("a SoftDevice with 0 before it", [nil, nil, "0B 07", "0B 07", "0B 07"]) {
            Self.kind(&$0, 1, [0, 0x100])
        },
        GenerationRow("a SoftDevice with an older version", [nil, nil, "0B 05", "0B 05", "0B 05"]) {
            Self.kind(&$0, 1, [0x100])
            $0.version = 0
        },
        GenerationRow("both with any list", ["0A", nil, "0B 07", "0B 07", "0B 07"]) {
            Self.kind(&$0, 3, [0x98])
        },
        GenerationRow("nothing listed, nothing there", ["0A", "0B 07", nil, nil, nil], on: .none) {
            $0.softDevices = []
        },
        GenerationRow("0, and nothing there", ["0A", "0B 07", nil, nil, nil], on: .none) {
            $0.softDevices = [0]
        },
        GenerationRow("one listed, nothing there", ["0A", "0B 07", "0B 07", "0B 07", "0B 07"], on: .none) {
            _ in
        },
        GenerationRow("128 signed bytes", ["05", "05", "05", nil, nil]) {
            $0.softDevices = [0x100] + [Int](repeating: 0x4000, count: 12)
            (($0.version, $0.softDeviceSize), $0.bootloaderSize) = ((0xFFFF_FFFF, 0xFFFF_FFFF), 0xFFFF_FFFF)
            ($0.applicationSize, $0.hardware) = (0xFFFF_FFFF, 52)
            $0.validations = [0xFFFF_FFFF, 0xFFFF_FFFF, 0xFFFF_FFFF]
        },
        GenerationRow("5 SoftDevices", ["05", nil, nil, nil, nil]) {
            $0.softDevices = [Int](repeating: 0x100, count: 5)
        },
        GenerationRow("17 SoftDevices", ["05", "05", "05", "05", "05"]) {
            $0.softDevices = [Int](repeating: 0x100, count: 17)
        },
        GenerationRow("4 boot validations", [nil, nil, nil, "05", "05"]) { $0.validations = [1, 1, 1, 1] },
        GenerationRow("a hash of 33 bytes", ["05", "05", "05", "05", "05"]) { $0.hash.append(0) },
    ]

    private static func kind(_ recipe: inout InitRecipe, _ type: Int, _ list: [Int]) {
        recipe.type = type
        recipe.softDevices = list
        (recipe.softDeviceSize, recipe.bootloaderSize) = (64, 64)
    }
}

@Suite struct `A bootloader's generation` {
    @Test(arguments: GenerationRow.rows)
    func `determines its answer`(row: GenerationRow) throws {
        var target = NordicTarget()
        target.hardware = 52
        (target.softDevice, target.application, target.bootloader) = (row.softDevice, 1, 0)
        let packet = try InitPacket(parsing: row.packet)
        for (generation, expected) in zip(GenerationRow.generations, row.answers) {
            target.generation = generation
            let answers = NordicTargetCheck(target: target, key: nil).answers(to: packet)
            let code: String? =
                switch FileVerdict(answers) {
                case .accepted, .undecided(["public-key"]): nil
                case .undecided(let keys): "undecided \(keys)"
                case .refused(_, let code, _): code
                }
            #expect(code == expected, "\(generation)")
        }
    }

    @Test(arguments: [
        ("12.3", BootloaderGeneration.sdk12), ("13", .sdk14), ("14.2.0", .sdk14), ("15", .sdk15),
        ("15.2", .sdk15),
        ("15.3.0", .sdk15Minor3), ("16.0", .sdk16), ("17.1", .sdk17),
    ])
    func `is named by its SDK`(text: String, generation: BootloaderGeneration) {
        #expect(BootloaderGeneration(text: text) == generation)
    }

    @Test(arguments: ["", "11", "18", "15.x", "x", "-12", "99999999999999999999"])
    func `is not named by anything else`(text: String) {
        #expect(BootloaderGeneration(text: text) == nil)
    }
}
