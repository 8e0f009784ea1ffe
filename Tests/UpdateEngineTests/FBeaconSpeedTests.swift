import Bluetooth
import Simulation
import Testing
import TransferBench

/// Virtual time: the same figures in every run, on every machine.
@Suite(.timeLimit(.minutes(10))) struct `The speed of Feasycom upgrades` {
    private static let slow = FlashTiming(
        pageErase: .milliseconds(300), pieceWrite: .milliseconds(4), pageProgram: .milliseconds(60))

    /// The loss occurs once: the first answer that comes much sooner than the previous ones is held back, as for a
    /// block without an erase.
    @Test(arguments: [7.5, 15, 30], [247, 23])
    func `is near the ceiling, and not above`(_ milliseconds: Double, _ mtu: Int) async throws {
        for stays in [true, false] {
            for timing in [FlashTiming.instant, .stock, Self.slow] {
                var transfer = FBeaconTransfer(stays: stays)
                transfer.link.interval = .seconds(milliseconds / 1000)
                transfer.link.phy = stays ? .le1M : .le2M
                (transfer.timing, transfer.maximumMTU) = (timing, mtu)
                let ceiling = try #require(transfer.ceiling).bytesPerSecond
                let ours = try await transfer.ours()
                #expect(ours.failure == nil)
                #expect(ours.repeated == 0)
                let share = ours.bytesPerSecond / ceiling
                #expect((0.95...1).contains(share), "stays: \(stays), erasing in \(timing.pageErase)")
            }
        }
    }
}
