import Nordic
import Simulation
import UpdateBench
import UpdateModel

extension NordicColumn {
    /// Every kind of bootloader, reached directly, by its application, and in two parts.
    package static let all: [NordicColumn] =
        secure + [fromApplication, bonded, twoParts] + legacy + receivers

    private static let firmware = TestFirmware(count: 2 * 4096 + 300, isSigned: true)

    private static let secure: [NordicColumn] = {
        let personalities: [SecurePersonality] = [
            .sdk12_3, .sdk14_2, .sdk15_0, .sdk15_3, .sdk16_0, .sdk17_1, .sdk17_1SavingProgress,
        ]
        return personalities.map { NordicColumn("\($0)", NordicBench(personality: $0), firmware) }
    }()

    private static let fromApplication = NordicColumn(
        "SDK 17.1, from the application",
        NordicBench(change: { $0.program = .application }, entering: NordicBench.Entering()), firmware,
        [.application])

    private static let bonded = NordicColumn(
        "SDK 17.1 with bonds, from the application",
        NordicBench(
            change: {
                $0.program = .application
                $0.requireBonds()
            }, entering: NordicBench.Entering()), firmware, [.application, .bonds])

    private static let legacy: [NordicColumn] = {
        guard let firmware = try? LegacyFirmware(count: 2000) else { return [] }
        let kinds: [(String, LegacyPersonality, Bool)] = [
            ("Legacy, SDK 5.2", .sdk5_2, false), ("Legacy, SDK 11", .sdk11, false),
            ("Legacy, SDK 11 with two banks, from the application", .sdk11TwoBanks, true),
            ("Adafruit", .adafruit, false),
        ]
        return kinds.map { title, personality, isEntering in
            NordicColumn(
                title, .legacy(personality, entering: isEntering), expecting: firmware.bytes,
                isEntering ? [.application] : []
            ) { try await $0.flash(firmware, entering: isEntering) }
        }
    }()

    /// Applications that take updates themselves.
    private static let receivers: [NordicColumn] = {
        guard let image = try? LegacyFirmware(count: 2000) else { return [] }
        let legacy = [("", true), (" that does not acknowledge Activate", false)].map { words, answers in
            NordicColumn(
                "Legacy in the application" + words,
                .receiver(isLegacy: true) { $0.answersActivation = answers },
                expecting: image.bytes, [.receiver]
            ) { try await $0.flashReceiver(image) }
        }
        let secure = [("", false), (" that answers every packet and keeps its state", true)].map {
            words, isOther in
            NordicColumn(
                "Secure in the application" + words,
                .receiver(isLegacy: false) {
                    $0.answersEveryPacket = isOther
                    $0.keepsState = isOther
                }, expecting: firmware.image, [.receiver]
            ) { try await $0.flashReceiver(firmware) }
        }
        return legacy + secure
    }()

    /// A SoftDevice and a bootloader, a restart, and the application.
    private static let twoParts: NordicColumn = {
        let system = TestFirmware.system(bootloader: 600)
        let application = TestFirmware.application(onNewSystem: 4096 + 200)
        let bench = NordicBench(
            change: {
                $0.program = .application
                $0.bootloaderVersion = 1
            }, entering: NordicBench.Entering())
        return NordicColumn(
            "SDK 17.1, two parts", bench, expecting: application.image, [.application, .parts, .secure]
        ) { bench in
            let parts = PartSequence(
                ("SoftDevice and bootloader", SecureProcedure(system.secureImage)),
                [("application", SecureProcedure(application.secureImage))])
            return try await bench.flash(parts, entry: ButtonlessEntry(name: bench.entering?.name))
        }
    }()
}
