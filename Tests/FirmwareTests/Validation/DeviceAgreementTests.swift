import Bytes
import TestSupport
import Testing
import UpdateModel

@testable import Firmware
@testable import Nordic
@testable import Simulation

/// The gate's verdict next to that of an independently written bootloader.
@Suite struct `A target's verdict` {
    static let (key, other) = (signer("C9"), signer("07"))

    static func signer(_ byte: String) -> P256PrivateKey? {
        P256PrivateKey(scalar: [UInt8](hex: String(repeating: byte, count: 32)))
    }

    static let generations: [(BootloaderGeneration, SecurePersonality)] = [
        (.sdk12, .sdk12_3), (.sdk14, .sdk14_2), (.sdk15, .sdk15_0), (.sdk15Minor3, .sdk15_3),
        (.sdk16, .sdk16_0), (.sdk17, .sdk17_1),
    ]
    static let lists: [[Int]] = [
        [], [0], [0, 0x100], [0x100], [0x98], [0x98, 0x100], [0xFFFE], [0x100, 0],
    ]

    enum Signing: CaseIterable {
        case none, good, otherKey, short, otherType
    }

    static func packet(
        _ type: Int?, _ list: [Int], _ signing: Signing, _ change: (inout InitRecipe) -> Void = { _ in }
    ) throws -> [UInt8] {
        var recipe = InitRecipe([UInt8](repeating: 7, count: 64)) { recipe in
            recipe.type = type
            recipe.softDevices = list
            if type == 1 { recipe.softDeviceSize = 64 }
            if type == 2 { recipe.bootloaderSize = 64 }
            if type == 3 { (recipe.softDeviceSize, recipe.bootloaderSize) = (32, 32) }
            change(&recipe)
        }
        let signature = try #require(signing == .otherKey ? other : key).signature(of: recipe.initCommand)
        let swapped = [UInt8](signature.r.reversed() + signature.s.reversed())
        switch signing {
        case .none: break
        case .good, .otherKey: recipe.signature = (0, swapped)
        case .short: recipe.signature = (0, Array(swapped.dropLast()))
        case .otherType: recipe.signature = (1, swapped)
        }
        return recipe.packet
    }

    /// The simulated bootloader's answer to Execute, in the gate's codes; nil when it accepts.
    static func answer(
        of personality: SecurePersonality, to packet: [UInt8], key: P256PublicKey?,
        _ settings: BootloaderSettings
    ) throws -> String? {
        let check = InitPacketCheck(
            personality: personality, identity: BootloaderIdentity(key: key), settings: settings)
        let decoded = try InitPacketDecoder.decode(packet, personality.initRules)
        do throws(ResultCode) {
            _ = try check.place(for: decoded)
            return nil
        } catch let refusal {
            return refusal.bytes.map { HexText.digits($0, uppercase: true) }.joined(separator: " ")
        }
    }

    static func compare(
        _ packet: [UInt8], softDevice: Int?, application: Int = 1, bootloader: Int = 0, hasKey: Bool = true,
        from oldest: BootloaderGeneration = .sdk12, _ words: @autoclosure () -> String
    ) throws {
        let publicKey = try #require(key).publicKey
        let nordicKey = NordicPublicKey(publicKey)
        var settings = BootloaderSettings()
        settings.softDevice = softDevice.map { UInt16($0) }
        settings.applicationVersion = UInt32(application)
        settings.bootloaderVersion = UInt32(bootloader)
        var target = NordicTarget()
        target.hardware = 52
        target.acceptsUnsigned = !hasKey
        target.softDevice = softDevice.map { .installed(UInt32($0)) } ?? NordicTarget.SoftDevice.none
        (target.application, target.bootloader) = (UInt32(application), UInt32(bootloader))
        for (generation, personality) in generations where generation >= oldest {
            target.generation = generation
            let judge = NordicTargetCheck(target: target, key: nordicKey)
            let verdict = FileVerdict(judge.answers(to: try InitPacket(parsing: packet)))
            let code: String? =
                switch verdict {
                case .accepted: nil
                case .refused(_, let code, _): code
                case .undecided: "undecided"
                }
            let device = try answer(
                of: personality, to: packet, key: hasKey ? publicKey : nil, settings)
            #expect(code == device, "\(generation): \(words())")
        }
    }

    @Test(arguments: [0, 1, 2, 3, 4, 9, nil], [nil, 0x100, 0x98])
    func `is the bootloader's, for every list of SoftDevices and every signature`(
        type: Int?, softDevice: Int?
    ) throws {
        for list in Self.lists {
            for signing in Signing.allCases {
                try Self.compare(
                    try Self.packet(type, list, signing), softDevice: softDevice,
                    "type \(type ?? -1), list \(list), \(signing)")
            }
        }
    }

    @Test(arguments: [0, 1, 2, 3], [nil, 0, 1, 5, Int(UInt32.max)])
    func `is the bootloader's, for every version`(type: Int, version: Int?) throws {
        for (application, bootloader) in [(0, 0), (1, 5), (5, 1), (6, 6), (Int(UInt32.max), Int(UInt32.max))]
        {
            let packet = try Self.packet(type, [0x100], .good) { $0.version = version }
            try Self.compare(
                packet, softDevice: 0x100, application: application, bootloader: bootloader,
                "type \(type), version \(version ?? -1) on \(application) and \(bootloader)")
        }
    }

    @Test func `is the bootloader's, for other fields that are wrong`() throws {
        let changes: [(String, (inout InitRecipe) -> Void)] = [
            ("no hardware", { $0.hardware = nil }), ("hardware 51", { $0.hardware = 51 }),
            ("hash type", { $0.hashType = 1 }), ("no bytes", { $0.applicationSize = 0 }),
            ("debug", { $0.isDebug = true }),
            (
                "hash type before hardware",
                {
                    $0.hashType = 1
                    $0.hardware = 51
                }
            ),
        ]
        for (words, change) in changes {
            // Older ones check the hash's type at the end, as the gate states in its list of answers.
            try Self.compare(
                try Self.packet(0, [0x100], .good, change), softDevice: 0x100,
                from: words.hasPrefix("hash") ? .sdk15 : .sdk12, words)
        }
    }

    @Test(arguments: [0, 1, 2, 3])
    func `is that of a bootloader which accepts unsigned applications`(type: Int) throws {
        try Self.compare(
            try Self.packet(type, [0x100], .none), softDevice: 0x100, hasKey: false, "type \(type)")
    }
}
