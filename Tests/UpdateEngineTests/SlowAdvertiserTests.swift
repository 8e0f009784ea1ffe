import Bluetooth
import Simulation
import Testing
import UpdateBench
import UpdateEngine
import UpdateModel

private let firmware = TestFirmware(count: 2 * 4096)

@Suite(.timeLimit(.minutes(10)))
struct `A beacon that advertises rarely, over an adapter that connects as a kernel does` {
    struct Intervals: Sendable, CustomTestStringConvertible {
        let application: Double
        let bootloader: Double

        var testDescription: String { "application every \(application) s, bootloader every \(bootloader) s" }
    }

    static let intervals = [
        Intervals(application: 4, bootloader: 0.1), Intervals(application: 0.1, bootloader: 5),
        Intervals(application: 5, bootloader: 5), Intervals(application: 0.1, bootloader: 10.24),
        Intervals(application: 10.24, bootloader: 0.1), Intervals(application: 10.24, bootloader: 10.24),
    ]

    /// Each place within the interval at which the beacon begins.
    @Test(arguments: intervals, 0..<4)
    func `is updated, in application and bootloader`(_ intervals: Intervals, _ number: Int) async throws {
        var bench = NordicBench(
            change: {
                $0.address = $0.address.neighbour(Int8(0x10 * (number + 1)))
                $0.program = .application
                $0.advertisingInterval = .seconds(intervals.application)
                $0.bootloaderAdvertisingInterval = .seconds(intervals.bootloader)
            }, entering: NordicBench.Entering())
        bench.controller = SimulatedController(connecting: .kernel)
        let result = try await bench.flash(firmware)
        #expect(result.isRight, "\(result.outcome)")
        // Two links that take two intervals each, and a search before each; the last application has to be heard and
        // asked.
        let most = 60 + 6 * (intervals.application + intervals.bootloader)
        #expect(result.took < .seconds(most), "\(result.took)")
    }

    @Test(arguments: [nil, Duration.seconds(1)])
    func `is named with its interval where no link comes about`(chosen: Duration?) async throws {
        var bench = NordicBench(
            hearing: { _, _ in .deaf },
            change: { $0.bootloaderAdvertisingInterval = .seconds(10.24) })
        bench.controller = SimulatedController(connecting: .kernel)
        var choices = TransferOptions()
        choices.connectTimeout = chosen
        bench.policy.adopt(choices)
        let result = try await bench.flash(firmware)
        #expect(result.failure?.code == .device.connectionNotEstablished, "\(result.outcome)")
        #expect(
            result.failure?.remedy?.description.contains("out, so that the program") ?? false
                == (chosen != nil))
        #expect(
            result.failure?.message.hasSuffix(
                "could not be connected to in 5 attempts; it advertises only every 10.2 s") == true,
            "\(result.failure?.message ?? "none")")
    }
}
