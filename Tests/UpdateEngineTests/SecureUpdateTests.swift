import Simulation
import Testing
import UpdateBench
import UpdateModel

@Suite(.timeLimit(.minutes(10))) struct `A Secure DFU update` {
    @Test func `ends with exactly the image on the beacon`() async throws {
        let firmware = TestFirmware(count: 12_000)
        let result = try await NordicBench().flash(firmware)
        #expect(result.isRight, "\(result.outcome)")
        #expect(result.application == firmware.image)
        #expect(result.report?.verified == .version)
        #expect(result.report?.retries == 0)
        print(result.outcome, result.took, result.statistics)
    }
}
