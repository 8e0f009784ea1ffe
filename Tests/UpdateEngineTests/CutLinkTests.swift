import Simulation
import Testing
import UpdateBench
import UpdateModel

/// Three whole objects and a short one.
private let firmware = TestFirmware(count: 3 * 4096 + 300)

@Suite(.timeLimit(.minutes(10))) struct `A link cut after every single packet` {
    static let personalities: [SecurePersonality] = [
        .sdk15_3, .sdk16_0, .sdk17_1, .sdk17_1SavingProgress,
    ]

    @Test(arguments: personalities)
    func `ends in the right image each time`(_ personality: SecurePersonality) async throws {
        let bench = NordicBench(personality: personality, timing: .stock)
        let packets = try await bench.flash(firmware).statistics.packetsReceived
        var cuts = 0
        var resumed = 0
        var unproven = 0
        for number in 1...packets {
            for fault in [Fault.cut(beforePacket: number), .cut(afterPacket: number)] {
                var broken = bench
                broken.faults = [fault]
                let result = try await broken.flash(firmware)
                #expect(result.isRight || result.isUnconfirmed, "\(fault): \(result.outcome)")
                #expect(result.application == firmware.image, "\(fault)")
                cuts += 1
                if result.events.contains(where: {
                    if case .resumed(let offset) = $0 { offset > 0 } else { false }
                }) {
                    resumed += 1
                }
                if result.isUnconfirmed { unproven += 1 }
            }
        }
        print(
            "SDK \(personality.name): \(cuts) cuts at \(packets) packets, all on the image; \(resumed) went on inside "
                + "the image, \(unproven) ended unconfirmed")
        #expect(unproven <= 4, "only cuts around the last request may leave the result unproven")
        let keepsProgress = personality.disconnectKeeps == .everything || personality.settingsAtObject != nil
        #expect(keepsProgress ? resumed > packets : resumed == 0)
    }
}
