import Simulation
import Testing
import Tray
import UpdateBench
import UpdateModel

@testable import tray_bench

@Suite(.timeLimit(.minutes(10))) struct `A tray of mixed units whose links are cut` {
    /// What a bootloader of SDK 15.3 has received survives a lost link, what one of SDK 17.1 has does not.
    @Test func `has first-pass units only where no image was sent again`() async throws {
        var bench = TrayBench(numbers: [0, 2, 4, 6])
        bench.firmware = { _ in TestFirmware(count: 16_000) }
        bench.change = { index, unit in unit.personality = index < 2 ? .sdk15_3 : .sdk17_1 }
        bench.faults = { $0.isMultiple(of: 2) ? [] : [.cut(afterPacket: 50)] }
        let result = try await bench.run()
        #expect(result.outcomes == Array(repeating: .passed, count: 4), "\(result.records.map(\.verdict))")
        #expect(result.records.map { $0.attempts.map(\.timesSent) } == [[1], [1], [1], [2]])
        #expect(result.records.map(\.passedFirst) == [true, true, true, false])
        let counts = UnitCounts(result.records)
        #expect(counts.firstPassYield.passed == 3 && counts.firstPassYield.counted == 4)
        #expect(counts.finalYield.share == 1)
    }
}
