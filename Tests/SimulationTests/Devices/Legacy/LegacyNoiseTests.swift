import TestSupport
import Testing

@testable import Simulation

@Suite struct `A Legacy bootloader among noise` {
    /// A step of a client that knows the opcodes and little else.
    static func step(_ bench: inout LegacyBench, _ random: inout Seed) {
        func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: 0...255, using: &random) } }
        switch Int.random(in: 0..<12, using: &random) {
        case 0: bench.ask("0104")
        case 1: bench.send(hex(word(0) + word(0) + word(4 * .random(in: 0...30, using: &random))))
        case 2:
            bench.ask(
                ["0200", "0201", "02", "03", "04", "05", "06", "07"].randomElement(using: &random) ?? "")
        case 3: bench.send(LegacyInit(bytes(40)).packet)
        case 4: _ = bench.bootloader.controlPoint(bytes(.random(in: 0...5, using: &random)), at: bench.now)
        case 5:
            bench.bootloader.disconnect(at: bench.now)
            bench.bootloader.connect(at: bench.now)
        case 6: bench.now += .milliseconds(.random(in: 0...500, using: &random))
        case 7 where Bool.random(using: &random): _ = bench.reset(entering: .random(using: &random))
        default: bench.send(bytes(4 * .random(in: 0...5, using: &random)))
        }
        if bench.hasReset { _ = bench.reset() }
    }

    /// Nothing traps, and only an image that passed can replace the old application.
    @Test(arguments: LegacyFacts.all, [1, 2, 3] as [UInt64])
    func `runs its old application, or none, or one that passed`(facts: LegacyFacts, seed: UInt64) {
        var random = Seed(seed)
        var bench = LegacyBench(facts.personality, timing: .stock)
        var hasPassed = false
        for _ in 0..<3000 {
            Self.step(&bench, &random)
            hasPassed = hasPassed || bench.bootloader.settledSettings.activation != nil
            let image = bench.bootloader.applicationImage
            #expect(hasPassed || image.isEmpty || image.count == 1024)
            #expect(bench.bootloader.settled(at: bench.now).flash.waitingWrites == 0)
        }
        #expect(bench.bootloader.statistics.packetsReceived > 500)
    }
}
