import SimulatedDevice
import UpdateBench

extension Column {
    /// Every kind of bootloader, reached directly; the application's way to it for the last.
    package static let all: [Column] = {
        let firmware = TestFirmware(count: 2 * 4096 + 300)
        let secure: [BootloaderPersonality] = [.sdk15_3, .sdk16_0, .sdk17_1, .sdk17_1SavingProgress]
        return secure.map { Column("\($0)", Bench(personality: $0), firmware) } + [
            Column(
                "SDK 17.1, from the application",
                Bench(change: { $0.program = .application }, entering: Bench.Entering()), firmware)
        ]
    }()
}
